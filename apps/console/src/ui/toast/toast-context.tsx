import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { useObservable } from '../../lib/use-observable.ts';
import type { Toast, ToastQueue } from './toast-queue.ts';

const ToastContext = createContext<ToastQueue | undefined>(undefined);

export function ToastProvider({ queue, children }: { queue: ToastQueue; children: ReactNode }) {
  const toast = useObservable(queue);
  const Toaster = useToaster(toast);
  return (
    <ToastContext value={queue}>
      {children}
      {Toaster && <Toaster toast={toast} onDismiss={queue.dismiss} />}
    </ToastContext>
  );
}

export function useToast(): ToastQueue['show'] {
  const queue = useContext(ToastContext);
  if (queue === undefined) throw new Error('ToastProvider is missing');
  return queue.show;
}

const FIRST_USE_EVENTS = ['keydown', 'pointerdown', 'input'];

/**
 * Loads the toaster on the first input or the first toast, to keep the sign-in page small. Not only on the first toast: a
 * toast about a lost connection could not load the code any more. A failed load is retried.
 */
function useToaster(toast: Toast | undefined) {
  const [toaster, setToaster] = useState<typeof import('./toaster.tsx')>();
  useEffect(() => {
    if (toaster !== undefined) return;
    const load = () => void import('./toaster.tsx').then(setToaster, () => undefined);
    if (toast !== undefined) load();
    const controller = new AbortController();
    for (const event of FIRST_USE_EVENTS) {
      addEventListener(event, load, { signal: controller.signal });
    }
    return () => controller.abort();
  }, [toaster, toast]);
  return toaster?.Toaster;
}
