import type { KeyboardEvent } from 'react';

/** Escape closes the dialog even if a toast is shown above it, which would otherwise consume the key. */
export function closeOnEscape(close: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) close();
  };
}

/** Marks a text field with an open list. */
export const OPEN_LIST = { 'data-open-list': true };

/** With an open list, the first Escape closes the list and the next one the dialog. */
export function ignoreIfListOpen(event: globalThis.KeyboardEvent): void {
  const field = event.target instanceof Element && event.target.closest('[data-open-list]');
  if (field) event.preventDefault();
}
