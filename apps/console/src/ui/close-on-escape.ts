import type { KeyboardEvent } from 'react';

/** Escape belongs to the dialog, even when a toast lies above it and would take it alone. */
export function closeOnEscape(close: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) close();
  };
}

/** Marks a text field whose list is open. */
export const OPEN_LIST = { 'data-open-list': true };

/** The first Escape closes the list below a text field, the next one the dialog. */
export function leaveToOpenList(event: globalThis.KeyboardEvent): void {
  const field = event.target instanceof Element && event.target.closest('[data-open-list]');
  if (field) event.preventDefault();
}
