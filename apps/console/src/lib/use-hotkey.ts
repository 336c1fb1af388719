import { type RefObject, useEffect } from 'react';
import { isTyping } from './is-typing.ts';

/** Pressing `key` outside a text field focuses the element. */
export function useFocusHotkey(key: string, target: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    function focus(event: KeyboardEvent) {
      if (event.key !== key || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
      event.preventDefault();
      target.current?.focus();
    }
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, [key, target]);
}
