import { useState } from 'react';

/**
 * For dialogs that are shown without a trigger of their own: closing gives the focus back to the opener,
 * or to the page when the opener went with what the dialog deleted.
 */
export function useReturnFocus(): (event: Event) => void {
  const [opener] = useState(() => openerOf(document.activeElement));
  return (event) => {
    event.preventDefault();
    if (opener?.isConnected) opener.focus();
    else document.querySelector('main')?.focus({ preventScroll: true });
  };
}

/** A menu is gone by the time the dialog closes; its button is not. */
function openerOf(active: Element | null): HTMLElement | null {
  const menuButtonId = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  if (menuButtonId) return document.getElementById(menuButtonId);
  return active instanceof HTMLElement ? active : null;
}
