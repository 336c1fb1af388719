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

describe('refreshing by hand', () => {
  it('brings a new token', async () => {
    const { auth } = await startSignedIn();
    const before = await auth.accessToken();
    expect(await auth.refreshSession()).toEqual({ ok: true });
    expect(await auth.accessToken()).not.toBe(before);
  });

  it('signs in with a token that is handed over', async () => {
    const { auth, backend } = start();
    const { refreshToken } = backend.openSession();
    expect(await auth.refreshSession(refreshToken)).toEqual({ ok: true });
    expect(auth.state().kind).toBe('signed-in');
  });

  it('needs a token', async () => {
    const { auth, backend } = start();
    expect(await auth.refreshSession()).toEqual(refusal('no-refresh-token'));
    expect(backend.calls()).toEqual([]);
  });

  it('turns a token away while another is on its way', async () => {
    const { auth } = await startSignedIn();
    const [first, second, third] = await Promise.all([
      auth.refreshSession('refresh-1'),
      auth.refreshSession('refresh-2'),
      auth.refreshSession(),
    ]);
    expect(second).toEqual(refusal('refresher-already-running'));
    expect([first, third]).toEqual([{ ok: true }, { ok: true }]);
  });

  it('says that a token is worth nothing, and leaves somebody signed out as they were', async () => {
    const { auth } = start();
    expect(await auth.refreshSession('refresh-none')).toEqual(refusal('invalid-refresh-token'));
    expect(auth.state()).toEqual({ kind: 'signed-out', needsEmailVerification: false });
  });

  it('says that the line was cut, and keeps the session', async () => {
    const { auth, backend } = await startSignedIn();
    backend.failNext(1, 'network');
    expect(await auth.refreshSession()).toEqual(refusal('network'));
    expect(auth.state().kind).toBe('signed-in');
  });

  it('ends the session that the server knows no more', async () => {
    const { auth, backend } = await startSignedIn();
    backend.revokeAll();
    expect(await auth.refreshSession()).toEqual(refusal('invalid-refresh-token'));
    expect(auth.state().kind).toBe('signed-out');
  });

  it('is answered when the client stops meanwhile', async () => {
    const { auth, hang } = await startSignedIn();
    hang();
    const refreshing = auth.refreshSession();
    await settle();
    auth.stop();
    expect(await refreshing).toEqual(refusal('network'));
  });
});

function refusal(code: Parameters<typeof clientError>[0]) {
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
