import { cleanup, configure, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach } from 'vitest';
import { Console } from '../src/app/console.tsx';
import { Gate } from '../src/app/gate-view.tsx';
import { createPageLocation } from '../src/lib/page-location.tsx';
import { createToastQueue } from '../src/ui/toast/toast-queue.ts';
import type { FakeBackend } from './fake-backend.ts';

// Screens are fetched lazily; on a busy machine the first one takes its time.
configure({ asyncUtilTimeout: 15_000 });

afterEach(() => {
  cleanup();
  localStorage.clear();
});

/** The whole console on a fake backend, opened at a path. */
export function openConsole(path: string, { backend }: FakeBackend) {
  window.history.replaceState(null, '', path);
  render(
    <Console backend={backend} toasts={createToastQueue()} location={createPageLocation(window)}>
      <Gate />
    </Console>,
  );
  return userEvent.setup();
}
