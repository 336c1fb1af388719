import { TOAST_HOTKEY } from '@longshore/contract';
import { Toast as RadixToast } from 'radix-ui';
import { type RefObject, useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';

/**
 * Where toasts appear: at the top on small screens, because the buttons are at the bottom. A dialog hides the rest of the
 * page from screen readers except live regions. The area is a live region, but `off`: each toast announces itself.
 */
export function ToastArea() {
  const area = useRef<HTMLOListElement>(null);
  useFocusFromDialogs(area);
  return createPortal(
    <RadixToast.Viewport
      ref={area}
      aria-live="off"
      hotkey={[TOAST_HOTKEY]}
      className="fixed right-0 z-[60] w-full p-4 focus-visible:-outline-offset-2 max-sm:top-0 sm:bottom-0 sm:max-w-sm"
    />,
    document.body,
  );
}

/**
 * Lets F8 move the focus from a dialog to the toasts (spec-map 9.3.17). A dialog takes the focus back by listening on the
 * document, so focus events of the toasts are stopped at the body.
 */
function useFocusFromDialogs(area: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    function stopAtBody(event: FocusEvent) {
      const next = event.type === 'focusin' ? event.target : event.relatedTarget;
      if (next instanceof Node && area.current?.contains(next)) event.stopPropagation();
    }
    const { body } = document;
    body.addEventListener('focusin', stopAtBody);
    body.addEventListener('focusout', stopAtBody);
    return () => {
      body.removeEventListener('focusin', stopAtBody);
      body.removeEventListener('focusout', stopAtBody);
    };
  }, [area]);
}
