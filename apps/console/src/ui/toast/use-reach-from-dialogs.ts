import { type RefObject, useEffect } from 'react';

/**
 * A dialog takes back the focus whenever it leaves, and F8 leads to the toasts from there, too. Spec §9. It listens on
 * the document: a step into the toasts is not told beyond the body.
 */
export function useReachFromDialogs(area: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    function keep(event: FocusEvent) {
      const next = event.type === 'focusin' ? event.target : event.relatedTarget;
      if (next instanceof Node && area.current?.contains(next)) event.stopPropagation();
    }
    const { body } = document;
    body.addEventListener('focusin', keep);
    body.addEventListener('focusout', keep);
    return () => {
      body.removeEventListener('focusin', keep);
      body.removeEventListener('focusout', keep);
    };
  }, [area]);
}
