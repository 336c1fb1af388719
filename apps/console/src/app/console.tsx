import type { ReactNode } from 'react';
import type { Backend } from '../lib/backend.ts';
import { BackendProvider } from '../lib/backend-context.tsx';
import { ToastProvider } from '../ui/toast/toast-context.tsx';
import type { ToastQueue } from '../ui/toast/toast-queue.ts';

type ConsoleProps = { backend: Backend; toasts: ToastQueue; children: ReactNode };

/** What every screen stands on. */
export function Console({ backend, toasts, children }: ConsoleProps) {
  return (
    <BackendProvider backend={backend}>
      <ToastProvider queue={toasts}>{children}</ToastProvider>
    </BackendProvider>
  );
}
