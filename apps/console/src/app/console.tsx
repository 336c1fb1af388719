import type { ReactNode } from 'react';
import type { Backend } from '../backend/backend.ts';
import { BackendProvider } from '../backend/backend-context.tsx';
import type { PageLocation } from '../lib/page-location.tsx';
import { PageLocationProvider } from '../lib/page-location.tsx';
import { ToastProvider } from '../ui/toast/toast-context.tsx';
import type { ToastQueue } from '../ui/toast/toast-queue.ts';

type ConsoleProps = {
  backend: Backend;
  toasts: ToastQueue;
  location: PageLocation;
  children: ReactNode;
};

/** The contexts that every screen uses. */
export function Console({ backend, toasts, location, children }: ConsoleProps) {
  return (
    <BackendProvider backend={backend}>
      <PageLocationProvider location={location}>
        <ToastProvider queue={toasts}>{children}</ToastProvider>
      </PageLocationProvider>
    </BackendProvider>
  );
}
