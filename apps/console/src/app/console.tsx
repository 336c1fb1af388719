import type { ReactNode } from 'react';
import { type ConsoleEnvironment, EnvironmentProvider } from '../client/console-environment.tsx';
import { type PageLocation, PageLocationProvider } from '../lib/page-location.tsx';
import { ToastProvider } from '../ui/toast/toast-context.tsx';
import type { ToastQueue } from '../ui/toast/toast-queue.ts';

type ConsoleProps = {
  environment: ConsoleEnvironment;
  toasts: ToastQueue;
  location: PageLocation;
  children: ReactNode;
};

/** The contexts that every screen uses. */
export function Console({ environment, toasts, location, children }: ConsoleProps) {
  return (
    <EnvironmentProvider environment={environment}>
      <PageLocationProvider location={location}>
        <ToastProvider queue={toasts}>{children}</ToastProvider>
      </PageLocationProvider>
    </EnvironmentProvider>
  );
}
