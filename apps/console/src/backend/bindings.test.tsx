import { createClient } from '@longshore/client';
import { authError } from '@longshore/contract';
import {
  createFakeAuthBackend,
  createMemoryStorage,
  createSimulatedClock,
} from '@longshore/testkit';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { aConfig } from '../../test/resources.ts';
import { BackendProvider } from './backend-context.tsx';
import { createBackend } from './browser-backend.ts';
import {
  useAuthState,
  useChangePassword,
  useNeedsSetupCode,
  useResetMail,
  useSignIn,
  useSignOut,
  useSignUp,
  useVerificationMail,
} from './use-auth.ts';

const ada = { email: 'ada@example.com', password: 'secret' };

afterEach(cleanup);

describe('the bindings, on the real client', () => {
  it('follow somebody who signs up, leaves and comes back', async () => {
    const { hooks } = await open();
    expect(hooks.current.state).toMatchObject({ kind: 'signed-out' });
    await act(() => hooks.current.signUp.send(ada));
    expect(hooks.current.state).toMatchObject({ kind: 'signed-in', user: { email: ada.email } });
    await act(() => hooks.current.signOut());
    expect(hooks.current.state.kind).toBe('signed-out');
    await act(() => hooks.current.signIn.send(ada));
    expect(hooks.current.state.kind).toBe('signed-in');
  });

  it('tell that an answer is awaited, and what it was', async () => {
    const { hooks } = await open();
    let answer: unknown;
    act(() => void hooks.current.signIn.send(ada).then((outcome) => (answer = outcome)));
    expect(hooks.current.signIn.isBusy).toBe(true);
    await waitFor(() => expect(hooks.current.signIn.isBusy).toBe(false));
    expect(answer).toEqual({ kind: 'failed', message: 'Incorrect email or password' });
    expect(hooks.current.state).toMatchObject({ kind: 'signed-out' });
  });

  it('ask for the set-up code until the first account is made', async () => {
    const { hooks, server } = await open({ needsSetupCode: true });
    expect(hooks.current.needsSetupCode).toBe(true);
    server.failNext(1, authError('invalid-setup-code'));
    await act(() => hooks.current.signUp.send({ ...ada, setupCode: 'wrong' }));
    expect(hooks.current.needsSetupCode).toBe(true);
    await act(() => hooks.current.signUp.send({ ...ada, setupCode: 'right' }));
    expect(server.lastBody('/signup/email-password')).toEqual({ ...ada, setupCode: 'right' });
    await act(() => hooks.current.signOut());
    expect(hooks.current.needsSetupCode).toBe(false);
  });

  it.each([
    ['verification', '/user/email/send-verification-email'],
    ['reset', '/user/password/reset'],
  ] as const)('ask for the mail of a %s', async (mail, path) => {
    const { hooks, server } = await open();
    await act(async () => {
      expect(await hooks.current[mail].send(ada.email)).toEqual({ ok: true });
    });
    expect(server.lastBody(path)).toMatchObject({ email: ada.email });
  });

  it('leave the words to the screen when a part of the client cannot be loaded', async () => {
    const { hooks } = await open({ isOffline: true });
    await act(async () => {
      expect(await hooks.current.reset.send(ada.email)).toEqual({ ok: false, message: '' });
    });
  });

  it('pass the refusal of a new password on', async () => {
    const { hooks } = await open();
    await act(() => hooks.current.signUp.send(ada));
    await act(async () => {
      const outcome = await hooks.current.changePassword.send('ab');
      expect(outcome).toEqual({ ok: false, message: 'Password is incorrectly formatted' });
    });
  });
});

/** All hooks of the session at once, on a client whose server is a fake. */
async function open({ isOffline = false, needsSetupCode = false } = {}) {
  const clock = createSimulatedClock();
  const server = createFakeAuthBackend({ now: clock.now });
  const { auth, stop, ...services } = createClient({
    subdomain: 'local',
    clock,
    fetch: server.fetch,
    storage: createMemoryStorage(),
  });
  const client = {
    auth,
    services: () => (isOffline ? Promise.reject(new Error('offline')) : Promise.resolve(services)),
  };
  const backend = createBackend(client, { ...aConfig(), needsSetupCode }, clock.now);
  const wrapper = ({ children }: { children: ReactNode }) => (
    <BackendProvider backend={backend}>{children}</BackendProvider>
  );
  const { result: hooks } = renderHook(useEverything, { wrapper });
  await waitFor(() => expect(hooks.current.state.kind).toBe('signed-out'));
  return { hooks, server };
}

function useEverything() {
  return {
    state: useAuthState(),
    signUp: useSignUp(),
    needsSetupCode: useNeedsSetupCode(),
    signIn: useSignIn(),
    signOut: useSignOut(),
    verification: useVerificationMail(),
    reset: useResetMail(),
    changePassword: useChangePassword(),
  };
}
