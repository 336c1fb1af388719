import type { ReactNode } from 'react';
import type { Backend } from '../backend/backend.ts';
import { BackendProvider } from '../backend/backend-context.tsx';
import type { Place } from '../lib/place.ts';
import { PlaceProvider } from '../lib/place-context.tsx';
import { ToastProvider } from '../ui/toast/toast-context.tsx';
import type { ToastQueue } from '../ui/toast/toast-queue.ts';

type ConsoleProps = { backend: Backend; toasts: ToastQueue; place: Place; children: ReactNode };

/** What every screen stands on. */
export function Console({ backend, toasts, place, children }: ConsoleProps) {
  return (
    <BackendProvider backend={backend}>
      <PlaceProvider place={place}>
        <ToastProvider queue={toasts}>{children}</ToastProvider>
      </PlaceProvider>
    </BackendProvider>
  );
}
