import { TOAST_HOTKEY } from '@longshore/contract';
import { Toast as RadixToast } from 'radix-ui';
import { useRef } from 'react';
import { createPortal } from 'react-dom';
import { useReachFromDialogs } from './use-reach-from-dialogs.ts';

/**
 * Where toasts appear; on a small screen above, since the buttons are below. A dialog hides the rest of the page from
 * screen readers, but nothing live: it is, and says nothing itself, since each toast is announced.
 */
export function ToastArea() {
  const area = useRef<HTMLOListElement>(null);
  useReachFromDialogs(area);
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
