import { createClient } from '@longshore/client';
import { authError } from '@longshore/contract';
import {
  createFakeAuthBackend,
  createMemoryStorage,
  createSimulatedClock,
} from '@longshore/testkit';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { aConfig } from '../../test/resources.ts';
import { EnvironmentProvider, useSetupCode } from './console-environment.tsx';
import {
  useAuthState,
  useChangePassword,
  useResetMail,
  useSignIn,
  useSignOut,
  useSignUp,
  useVerificationMail,
} from './use-auth.ts';

const ada = { email: 'ada@example.com', password: 'secret' };

describe('the auth hooks, on the real client', () => {
  it('follow a user who signs up, signs out and signs in again', async () => {
    const { hooks } = await open();
    expect(hooks.current.state).toMatchObject({ kind: 'signed-out' });
    await act(() => hooks.current.signUp.send(ada));
    expect(hooks.current.state).toMatchObject({ kind: 'signed-in', user: { email: ada.email } });
    await act(() => hooks.current.signOut());
    expect(hooks.current.state.kind).toBe('signed-out');
    await act(() => hooks.current.signIn.send(ada));
    expect(hooks.current.state.kind).toBe('signed-in');
  });

  it('report that a request is running, and its result', async () => {
    const { hooks } = await open();
    let result: unknown;
    act(() => void hooks.current.signIn.send(ada).then((signedIn) => (result = signedIn)));
    expect(hooks.current.signIn.isBusy).toBe(true);
    await waitFor(() => expect(hooks.current.signIn.isBusy).toBe(false));
    expect(result).toMatchObject({
      kind: 'failed',
      error: { message: 'Incorrect email or password' },
    });
    expect(hooks.current.state).toMatchObject({ kind: 'signed-out' });
  });

  it('need the set-up code until the first account is created', async () => {
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
  ] as const)('send the %s email', async (mail, path) => {
    const { hooks, server } = await open();
    await act(async () => {
      expect(await hooks.current[mail].send(ada.email)).toEqual({ ok: true });
    });
    expect(server.lastBody(path)).toMatchObject({ email: ada.email });
  });

  it('fail without a message when the account service cannot be loaded', async () => {
    const { hooks } = await open({ isOffline: true });
    await act(async () => {
      expect(await hooks.current.reset.send(ada.email)).toMatchObject({
        ok: false,
        error: { message: '' },
      });
    });
  });

  it('return the error for a new password that is too short', async () => {
    const { hooks } = await open();
    await act(() => hooks.current.signUp.send(ada));
    await act(async () => {
      const result = await hooks.current.changePassword.send('ab');
      expect(result).toMatchObject({
        ok: false,
        error: { message: 'Password is incorrectly formatted' },
      });
    });
  });
});

/** All auth hooks at once, on a client with a fake server. */
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
  const environment = { client, config: { ...aConfig(), needsSetupCode }, now: clock.now };
  const wrapper = ({ children }: { children: ReactNode }) => (
    <EnvironmentProvider environment={environment}>{children}</EnvironmentProvider>
  );
  const { result: hooks } = renderHook(useAllHooks, { wrapper });
  await waitFor(() => expect(hooks.current.state.kind).toBe('signed-out'));
  return { hooks, server };
}

function useAllHooks() {
  return {
    state: useAuthState(),
    signUp: useSignUp(),
    needsSetupCode: useSetupCode().isNeeded,
    signIn: useSignIn(),
    signOut: useSignOut(),
    verification: useVerificationMail(),
    reset: useResetMail(),
    changePassword: useChangePassword(),
  };
}
