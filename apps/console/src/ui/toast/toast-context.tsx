import { createContext, type ReactNode, Suspense, useContext, useEffect, useState } from 'react';
import { lazyScreen } from '../../lib/lazy-screen.ts';
import { useObservable } from '../../lib/use-observable.ts';
import { Catch } from '../catch.tsx';
import type { ToastQueue } from './toast-queue.ts';

const ToastContext = createContext<ToastQueue | undefined>(undefined);

const Toaster = lazyScreen(() => import('./toaster.tsx'), 'Toaster');

/** The toast area is fetched with the first toast: the sign-in page must stay light. */
export function ToastProvider({ queue, children }: { queue: ToastQueue; children: ReactNode }) {
  const toast = useObservable(queue);
  const [isNeeded, setNeeded] = useState(false);
  useEffect(() => {
    if (toast !== undefined) setNeeded(true);
  }, [toast]);
  return (
    <ToastContext value={queue}>
      {children}
      {isNeeded && (
        <Catch fallback={null}>
          <Suspense>
            <Toaster toast={toast} onDismiss={queue.dismiss} />
          </Suspense>
        </Catch>
      )}
    </ToastContext>
  );
}

export function useToast(): ToastQueue['show'] {
  const queue = useContext(ToastContext);
  if (queue === undefined) throw new Error('ToastProvider is missing');
  return queue.show;
}
