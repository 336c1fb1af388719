import { type RefObject, useEffect } from 'react';
import { isTyping } from './is-typing.ts';
import { hasOpenDialog } from './open-dialog.ts';

/** Pressing `key` focuses the element, unless the user is typing or the element is hidden or behind a dialog. */
export function useFocusHotkey(key: string, target: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    function focus(event: KeyboardEvent) {
      const element = target.current;
      if (element === null || !isPlainPress(event, key) || isTyping(event.target)) return;
      if (hasOpenDialog(element) || element.checkVisibility?.() === false) return;
      event.preventDefault();
      element.focus();
    }
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, [key, target]);
}

/** Shift is allowed: some keyboards need it for `/`. */
function isPlainPress(event: KeyboardEvent, key: string): boolean {
  const { ctrlKey, metaKey, altKey, isComposing, defaultPrevented } = event;
  return event.key === key && !(ctrlKey || metaKey || altKey || isComposing || defaultPrevented);
}
