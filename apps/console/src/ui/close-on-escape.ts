import type { KeyboardEvent } from 'react';

/** Escape belongs to the dialog, even when a toast lies above it and would take it alone. */
export function closeOnEscape(close: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) close();
  };
}
