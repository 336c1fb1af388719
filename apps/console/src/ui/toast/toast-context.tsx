import { createContext, type ReactNode, useContext } from 'react';
import { useObservable } from '../../lib/use-observable.ts';
import type { ToastQueue } from './toast-queue.ts';
import { useToaster } from './use-toaster.ts';

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
