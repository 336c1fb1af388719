import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Console } from '../src/app/console.tsx';
import { Gate } from '../src/app/gate-view.tsx';
import { createPageLocation } from '../src/lib/page-location.tsx';
import { createToastQueue } from '../src/ui/toast/toast-queue.ts';
import type { FakeClient } from './fake-client.ts';

/** The whole console on a fake client, opened at a path. */
export function openConsole(path: string, { environment }: FakeClient) {
  window.history.replaceState(null, '', path);
  render(
    <Console
      environment={environment}
      toasts={createToastQueue()}
      location={createPageLocation(window)}
    >
      <Gate />
    </Console>,
  );
  return userEvent.setup();
}
