import { clientError } from '@longshore/contract';
import {
  createFakeAuthBackend,
  createMemoryStorage,
  createSimulatedClock,
  settle,
} from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import { createAuth } from './create-auth.ts';

const ada = { email: 'ada@example.com', password: 'secret' };

describe('refreshing manually', () => {
  it('returns a new token', async () => {
    const { auth } = await startSignedIn();
    const before = await auth.accessToken();
    expect(await auth.refreshSession()).toEqual({ ok: true });
    expect(await auth.accessToken()).not.toBe(before);
  });

  it('signs in with the token that is passed', async () => {
    const { auth, backend } = start();
    const { refreshToken } = backend.openSession();
    expect(await auth.refreshSession(refreshToken)).toEqual({ ok: true });
    expect(auth.state().kind).toBe('signed-in');
  });

  it('needs a token', async () => {
    const { auth, backend } = start();
    expect(await auth.refreshSession()).toEqual(failureWith('no-refresh-token'));
    expect(backend.calls()).toEqual([]);
  });

  it('rejects a token while another refresh is running', async () => {
    const { auth } = await startSignedIn();
    const [first, second, third] = await Promise.all([
      auth.refreshSession('refresh-1'),
      auth.refreshSession('refresh-2'),
      auth.refreshSession(),
    ]);
    expect(second).toEqual(failureWith('refresher-already-running'));
    expect([first, third]).toEqual([{ ok: true }, { ok: true }]);
  });

  it('reports an invalid token, and does not change the signed-out state', async () => {
    const { auth } = start();
    expect(await auth.refreshSession('refresh-none')).toEqual(failureWith('invalid-refresh-token'));
    expect(auth.state()).toEqual({ kind: 'signed-out', needsEmailVerification: false });
  });

  it('reports a lost connection, and keeps the session', async () => {
    const { auth, backend } = await startSignedIn();
    backend.failNext(1, 'network');
    expect(await auth.refreshSession()).toEqual(failureWith('network'));
    expect(auth.state().kind).toBe('signed-in');
  });

  it('ends a session that the server no longer accepts', async () => {
    const { auth, backend } = await startSignedIn();
    backend.revokeAll();
    expect(await auth.refreshSession()).toEqual(failureWith('invalid-refresh-token'));
    expect(auth.state().kind).toBe('signed-out');
  });

  it('resolves when the client is stopped during the refresh', async () => {
    const { auth, hang } = await startSignedIn();
    hang();
    const refreshing = auth.refreshSession();
    await settle();
    auth.stop();
    expect(await refreshing).toEqual(failureWith('network'));
  });
});

function failureWith(code: Parameters<typeof clientError>[0]) {
  return { ok: false, error: clientError(code) };
}

function start() {
  const clock = createSimulatedClock();
  const backend = createFakeAuthBackend({ now: clock.now });
  const storage = createMemoryStorage();
  let isHanging = false;
  const auth = createAuth({
    url: 'http://b/v1/auth',
    clock,
    storage,
    fetch: (url, init) => (isHanging ? new Promise(() => undefined) : backend.fetch(url, init)),
  });
  return {
    auth,
    backend,
    hang: () => {
      isHanging = true;
    },
  };
}

async function startSignedIn() {
  const started = start();
  await started.auth.signUp(ada);
  return started;
}
