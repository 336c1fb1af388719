import { useState } from 'react';

/**
 * For dialogs without a Radix trigger: closing returns the focus to the element that opened the dialog, or to the page
 * if that element no longer exists.
 */
export function useReturnFocus(): (event: Event) => void {
  const [opener] = useState(() => openerOf(document.activeElement));
  return (event) => {
    event.preventDefault();
    if (opener?.isConnected) opener.focus();
    else document.querySelector('main')?.focus({ preventScroll: true });
  };
}

/** A menu no longer exists when the dialog closes, so its button is used. */
function openerOf(active: Element | null): HTMLElement | null {
  const menuButtonId = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  if (menuButtonId) return document.getElementById(menuButtonId);
  return active instanceof HTMLElement ? active : null;
}
