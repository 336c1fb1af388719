/** Whether a dialog or menu is open. With an element: one that does not contain it. */
export function hasOpenDialog(besides?: Element): boolean {
  const open = [...document.querySelectorAll('[role$="dialog"], [role="menu"]')];
  return open.some((dialog) => besides === undefined || !dialog.contains(besides));
}
