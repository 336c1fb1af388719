import { TOAST_DURATION_MS, TOAST_SWIPE_THRESHOLD_PX } from '@longshore/contract';
import { clsx } from 'clsx';
import { Toast as RadixToast } from 'radix-ui';
import { buttonStyle } from '../button-style.ts';
import { X } from '../icons.tsx';
import { DISMISS } from '../texts.ts';
import { ToastArea } from './toast-area.tsx';
import type { Toast } from './toast-queue.ts';

type ToasterProps = { toast: Toast | undefined; onDismiss(id: number): void };

/** Shows the current toast (spec-map 9.3.15–18). */
export function Toaster({ toast, onDismiss }: ToasterProps) {
  return (
    <RadixToast.Provider
      duration={TOAST_DURATION_MS}
      swipeThreshold={TOAST_SWIPE_THRESHOLD_PX}
      swipeDirection="right"
    >
      {toast !== undefined && (
        <RadixToast.Root
          key={toast.id}
          type={toast.tone === 'bad' ? 'foreground' : 'background'}
          onOpenChange={(isOpen) => {
            if (!isOpen) onDismiss(toast.id);
          }}
          className={clsx(
            'flex animate-rise items-start gap-3 rounded-box border bg-raised py-3 pr-2 pl-4 shadow-float',
            'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)',
            toast.tone === 'bad' ? 'border-bad-line' : 'border-line',
          )}
        >
          <div className="min-w-0 flex-1">
            <RadixToast.Title className={clsx('font-semibold', toast.tone === 'bad' && 'text-bad')}>
              {toast.title}
            </RadixToast.Title>
            {toast.text && (
              <RadixToast.Description className="text-muted">{toast.text}</RadixToast.Description>
            )}
          </div>
          <RadixToast.Close
            aria-label={DISMISS}
            className={buttonStyle('ghost', 'icon', 'size-8 pointer-coarse:size-10')}
          >
            <X size={15} aria-hidden="true" />
          </RadixToast.Close>
        </RadixToast.Root>
      )}
      <ToastArea />
    </RadixToast.Provider>
  );
}
