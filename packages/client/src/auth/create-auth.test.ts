import { AUTH_PATHS, authError } from '@longshore/contract';
import {
  buildSession,
  createFakeAuthBackend,
  createSimulatedClock,
  type FakeAuthBackend,
  settle,
} from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import { AUTH_URL, ada, start, startStored } from '../../test/auth/start-auth.ts';
import type { AddressBar } from '../ports.ts';
import type { AuthState } from './auth-state.ts';
import { createAuth } from './create-auth.ts';

const KEYS = ['nhostRefreshToken', 'nhostRefreshTokenExpiresAt', 'nhostRefreshTokenId'];

describe('signing up', () => {
  it('creates a session and stores it under the three keys', async () => {
    const { auth, storage } = start();
    expect(await auth.signUp(ada)).toEqual({ kind: 'signed-in' });
    expect(auth.state()).toMatchObject({ kind: 'signed-in', user: { email: ada.email } });
    expect(Object.keys(storage.contents()).sort()).toEqual(KEYS);
    expect(storage.getItem('nhostRefreshTokenExpiresAt')).toBe('2025-01-01T00:15:00.000Z');
  });

  it('sends the set-up code if there is one', async () => {
    const { auth, backend } = start();
    await auth.signUp({ ...ada, setupCode: 'ABCD-EFGH-JKLM' });
    const body = { ...ada, setupCode: 'ABCD-EFGH-JKLM' };
    expect(backend.lastBody(AUTH_PATHS.signUpEmailPassword)).toEqual(body);
  });

  it('needs verification when the response has no session', async () => {
    const { auth } = start({ backend: { requireVerifiedEmail: true } });
    expect(await auth.signUp(ada)).toEqual({ kind: 'needs-email-verification' });
    expect(auth.state()).toEqual({ kind: 'signed-out', needsEmailVerification: true });
  });

  it('returns the error of the server', async () => {
    const { auth, backend } = start();
    backend.failNext(1, authError('user-already-exists'));
    const error = authError('user-already-exists');
    expect(await auth.signUp(ada)).toEqual({ kind: 'failed', error });
    expect(auth.state()).toEqual({ kind: 'signed-out', needsEmailVerification: false, error });
  });
});

describe('signing in', () => {
  it.each([
    [{ email: 'ada', password: 'secret' }, 'Email is incorrectly formatted'],
    [{ email: ada.email, password: 'ab' }, 'Password is incorrectly formatted'],
  ])('with %j fails without a request', async (credentials, message) => {
    const { auth, backend } = start();
    expect(await auth.signIn(credentials)).toMatchObject({
      kind: 'failed',
      error: { status: 10, message },
    });
    expect(backend.calls()).toEqual([]);
  });

  it('needs verification when the email is not verified', async () => {
    const { auth } = start({ backend: { requireVerifiedEmail: true } });
    await auth.signUp(ada);
    const error = { status: 20, error: 'unverified-user', message: 'Email needs verification' };
    expect(await auth.signIn(ada)).toEqual({ kind: 'needs-email-verification', error });
    expect(auth.state()).toEqual({ kind: 'signed-out', needsEmailVerification: true, error });
  });

  it('needs verification when an older server reports it in the message only', async () => {
    const { auth, backend } = start();
    backend.failNext(1, { status: 401, error: 'other', message: 'Email is not verified' });
    expect(await auth.signIn(ada)).toMatchObject({ kind: 'needs-email-verification' });
  });

  it('is rejected while signed in', async () => {
    const { auth } = start();
    await auth.signUp(ada);
    expect(await auth.signIn(ada)).toMatchObject({
      kind: 'failed',
      error: { status: 20, error: 'already-signed-in', message: 'User is already signed in' },
    });
  });

  it('reports a lost connection as a network error', async () => {
    const { auth, backend } = start();
    backend.failNext(1, 'network');
    expect(await auth.signIn(ada)).toMatchObject({
      error: { status: 0, error: 'network', message: 'Network Error' },
    });
  });

  it('keeps the state signed out, not loading, while the request runs', async () => {
    const { auth } = start();
    await auth.ready();
    const result = auth.signUp(ada);
    await Promise.resolve();
    expect(auth.state().kind).toBe('signed-out');
    await result;
  });

  it('times out if the server never responds', async () => {
    const { auth, clock } = start({ fetch: hangingFetch });
    const result = auth.signIn(ada);
    await clock.advance(30_000);
    expect(await result).toMatchObject({ kind: 'failed', error: { error: 'network' } });
  });
});

describe('signing out', () => {
  it('ends the session in this browser and on the server', async () => {
    const { auth, backend, storage } = start();
    await auth.signUp(ada);
    expect(await auth.signOut()).toEqual({ ok: true });
    expect(auth.state()).toEqual({ kind: 'signed-out', needsEmailVerification: false });
    expect(storage.contents()).toEqual({});
    expect(backend.calls()).toContain(AUTH_PATHS.signOut);
  });

  it('ends only the own session, without the access token', async () => {
    const { auth, backend, other, refreshToken } = await startTwoDevices();
    expect(await auth.signOut()).toEqual({ ok: true });
    expect(backend.lastBody(AUTH_PATHS.signOut)).toEqual({ refreshToken, all: false });
    expect(backend.lastHeaders(AUTH_PATHS.signOut)).not.toHaveProperty('authorization');
    expect(await other.refreshSession()).toMatchObject({ ok: true });
    expect(await isAccepted(refreshToken, backend)).toBe(false);
  });

  it('ends the sessions of all devices, but not those of other users', async () => {
    const { auth, backend, other, refreshToken } = await startTwoDevices();
    const eve = backend.openSession('eve@example.com');
    expect(await auth.signOut({ all: true })).toEqual({ ok: true });
    expect(backend.lastBody(AUTH_PATHS.signOut)).toEqual({ refreshToken, all: true });
    expect(await other.refreshSession()).toMatchObject({
      ok: false,
      error: { error: 'invalid-refresh-token' },
    });
    expect(other.state().kind).toBe('signed-out');
    expect(await isAccepted(refreshToken, backend)).toBe(false);
    expect(await isAccepted(eve.refreshToken, backend)).toBe(true);
  });

  it('ends the session in this browser even if the server cannot be reached', async () => {
    const { auth, backend, storage } = start();
    await auth.signUp(ada);
    backend.failNext(1, 'network');
    expect(await auth.signOut()).toMatchObject({ ok: false, error: { error: 'network' } });
    expect(auth.state().kind).toBe('signed-out');
    expect(storage.contents()).toEqual({});
  });

  it('fails when no user is signed in', async () => {
    const { auth } = start();
    await auth.ready();
    expect(await auth.signOut()).toMatchObject({ error: { error: 'unauthenticated-user' } });
  });

  it('waits for a sign-in that is still running', async () => {
    const { auth } = start();
    const [signedUp, signedOut] = await Promise.all([auth.signUp(ada), auth.signOut()]);
    expect([signedUp, signedOut]).toEqual([{ kind: 'signed-in' }, { ok: true }]);
  });
});

describe('starting', () => {
  it('without a stored session ends signed out', async () => {
    const { auth, backend } = start();
    expect(auth.state()).toEqual({ kind: 'loading' });
    await auth.ready();
    expect(auth.state()).toEqual({ kind: 'signed-out', needsEmailVerification: false });
    expect(backend.calls()).toEqual([]);
  });

  it('uses a session passed in memory, and stores it', async () => {
    const { auth, backend, storage } = start({ session: buildSession() });
    await auth.ready();
    expect(auth.state()).toMatchObject({ kind: 'signed-in', accessToken: 'access-1' });
    expect(storage.getItem('nhostRefreshToken')).toBe('refresh-1');
    expect(backend.calls()).toEqual([]);
  });

  it('waits for a storage that opens asynchronously', async () => {
    const { clock, backend, storage } = startStored();
    const opening = Promise.withResolvers<typeof storage>();
    const deps = { url: AUTH_URL, clock, fetch: backend.fetch, storage: opening.promise };
    const auth = createAuth(deps);
    await settle();
    expect(auth.state()).toEqual({ kind: 'loading' });
    opening.resolve(storage);
    await auth.ready();
    expect(auth.state().kind).toBe('signed-in');
  });

  it('works if the storage cannot be opened', async () => {
    const storage = Promise.reject(new Error('locked'));
    const { auth } = start({ storage });
    await auth.ready();
    expect(auth.state()).toMatchObject({ kind: 'signed-out', error: { message: 'locked' } });
    expect(await auth.signUp(ada)).toEqual({ kind: 'signed-in' });
  });

  it('imports the session from storage', async () => {
    const { auth } = startStored();
    await auth.ready();
    expect(auth.state()).toMatchObject({ kind: 'signed-in', user: { email: ada.email } });
  });

  it('imports the session from the URL and removes it from there', async () => {
    const backend = createFakeAuthBackend();
    const { refreshToken } = backend.openSession();
    const addressBar = addressBarAt(
      `http://console/dashboard?refreshToken=${refreshToken}&type=verifyEmail&tab=2`,
    );
    const { auth } = start({ fetch: backend.fetch, addressBar });
    await auth.ready();
    expect(auth.state().kind).toBe('signed-in');
    expect(addressBar.href()).toBe('http://console/dashboard?tab=2');
  });

  it('keeps the token in the URL until a retry has imported it', async () => {
    const clock = createSimulatedClock();
    const backend = createFakeAuthBackend({ now: clock.now });
    const { refreshToken } = backend.openSession();
    const href = `http://console/dashboard?refreshToken=${refreshToken}&type=verifyEmail`;
    const addressBar = addressBarAt(href);
    backend.failNext(2, 'network');
    const { auth } = start({ fetch: backend.fetch, clock, addressBar });
    await clock.advance(5_000);
    expect([auth.state().kind, addressBar.href()]).toEqual(['loading', href]);
    await clock.advance(10_000);
    expect([auth.state().kind, addressBar.href()]).toEqual([
      'signed-in',
      'http://console/dashboard',
    ]);
  });

  it('falls back to the stored session when the token in the URL was already used', async () => {
    const addressBar = addressBarAt('http://console/?refreshToken=spent&type=verifyEmail');
    const { auth } = startStored({ addressBar });
    await auth.ready();
    expect(auth.state().kind).toBe('signed-in');
    expect(addressBar.href()).toBe('http://console/');
  });

  it('removes a rejected token from the URL after another sign-in', async () => {
    const addressBar = addressBarAt('http://console/login?refreshToken=spent&type=verifyEmail');
    const { auth } = start({ addressBar });
    await auth.ready();
    expect(addressBar.href()).toContain('refreshToken=spent');
    await auth.signUp(ada);
    expect(addressBar.href()).toBe('http://console/login');
  });

  it('stores the error from the URL', async () => {
    const { auth } = start({
      addressBar: { href: () => 'http://c/?error=x&errorDescription=Y', replace: () => undefined },
    });
    await auth.ready();
    expect(auth.state()).toMatchObject({ error: { error: 'x', message: 'Y' } });
  });

  it('retries network failures after 5, 10, 20, 40 and 80 s and then stops', async () => {
    const { auth, backend, clock } = startStored();
    backend.failNext(6, 'network');
    for (const [wait, calls] of [
      [0, 1],
      [4_999, 1],
      [1, 2],
      [10_000, 3],
      [20_000, 4],
      [40_000, 5],
      [79_999, 5],
      [1, 6],
    ] as const) {
      await clock.advance(wait);
      expect(backend.calls()).toHaveLength(calls);
    }
    expect(auth.state()).toMatchObject({ kind: 'signed-out', error: { error: 'network' } });
  });

  it('keeps the stored token after a failure unrelated to the token', async () => {
    const { backend, clock, storage } = startStored();
    backend.failNext(6, authError('internal-server-error'));
    await clock.advance(200_000);
    expect(storage.getItem('nhostRefreshToken')).not.toBeNull();
  });

  it('drops a rejected token at once and stores the error', async () => {
    const { auth, backend, storage } = startStored();
    backend.revokeAll();
    await auth.ready();
    expect(auth.state()).toMatchObject({
      kind: 'signed-out',
      error: { error: 'invalid-refresh-token' },
    });
    expect(storage.contents()).toEqual({});
    expect(backend.calls()).toHaveLength(1);
  });

  it('times out after 15 seconds', async () => {
    const { auth, backend, clock } = startStored();
    backend.failNext(6, 'network');
    const readiness = expect(auth.ready()).rejects.toThrow(
      'The state machine is not yet ready after 15 seconds.',
    );
    await clock.advance(15_000);
    await readiness;
  });
});

describe('a stopped client', () => {
  it('leaves no timer and keeps the stored session', async () => {
    const { auth, clock, storage } = start();
    await auth.signUp(ada);
    auth.stop();
    expect(clock.pending()).toBe(0);
    expect(Object.keys(storage.contents())).toHaveLength(3);
  });

  it('notifies listeners of every change until they unsubscribe', async () => {
    const { auth } = start();
    const kinds: AuthState['kind'][] = [];
    const unsubscribe = auth.subscribe(() => kinds.push(auth.state().kind));
    await auth.signUp(ada);
    unsubscribe();
    await auth.signOut();
    expect(kinds).toEqual(['signed-out', 'signed-in']);
  });
});

function hangingFetch(_url: string, init?: RequestInit): Promise<Response> {
  return new Promise((_, reject) => {
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
  });
}

/** One user, signed in on two devices. */
async function startTwoDevices() {
  const { auth, backend, clock, storage } = start();
  await auth.signUp(ada);
  const { auth: other } = start({ fetch: backend.fetch, clock });
  await other.signIn(ada);
  return { auth, backend, other, refreshToken: storage.getItem('nhostRefreshToken') ?? '' };
}

async function isAccepted(refreshToken: string, { fetch }: FakeAuthBackend): Promise<boolean> {
  const body = JSON.stringify({ refreshToken });
  return (await fetch(AUTH_URL + AUTH_PATHS.token, { method: 'POST', body })).ok;
}

function addressBarAt(href: string): AddressBar {
  let current = href;
  return {
    href: () => current,
    replace(next) {
      current = next;
    },
  };
}
