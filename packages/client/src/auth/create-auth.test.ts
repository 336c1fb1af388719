import { AUTH_PATHS, authError } from '@longshore/contract';
import {
  buildSession,
  createFakeAuthBackend,
  createMemoryStorage,
  createSimulatedClock,
  type FakeAuthOptions,
  settle,
} from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import type { AuthState } from './auth-state.ts';
import { type AuthDeps, createAuth } from './create-auth.ts';

const ada = { email: 'ada@example.com', password: 'secret' };
const URL = 'http://backend/v1/auth';
const KEYS = ['nhostRefreshToken', 'nhostRefreshTokenExpiresAt', 'nhostRefreshTokenId'];

describe('signing up', () => {
  it('opens a session and stores it under the three keys', async () => {
    const { auth, storage } = start();
    expect(await auth.signUp(ada)).toEqual({ kind: 'signed-in' });
    expect(auth.state()).toMatchObject({ kind: 'signed-in', user: { email: ada.email } });
    expect(Object.keys(storage.contents()).sort()).toEqual(KEYS);
    expect(storage.getItem('nhostRefreshTokenExpiresAt')).toBe('2025-01-01T00:15:00.000Z');
  });

  it('brings the set-up code along where one is given', async () => {
    const { auth, backend } = start();
    await auth.signUp({ ...ada, setupCode: 'ABCD-EFGH-JKLM' });
    const body = { ...ada, setupCode: 'ABCD-EFGH-JKLM' };
    expect(backend.lastBody(AUTH_PATHS.signUpEmailPassword)).toEqual(body);
  });

  it('asks for verification when no session comes back', async () => {
    const { auth } = start({ backend: { requireVerifiedEmail: true } });
    expect(await auth.signUp(ada)).toEqual({ kind: 'needs-email-verification' });
    expect(auth.state()).toEqual({ kind: 'signed-out', needsEmailVerification: true });
  });

  it('passes the error of the server on', async () => {
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
  ])('with %j is refused without asking the server', async (credentials, message) => {
    const { auth, backend } = start();
    expect(await auth.signIn(credentials)).toMatchObject({
      kind: 'failed',
      error: { status: 10, message },
    });
    expect(backend.calls()).toEqual([]);
  });

  it('leads to verification when the email is not verified', async () => {
    const { auth } = start({ backend: { requireVerifiedEmail: true } });
    await auth.signUp(ada);
    const error = { status: 20, error: 'unverified-user', message: 'Email needs verification' };
    expect(await auth.signIn(ada)).toEqual({ kind: 'needs-email-verification', error });
    expect(auth.state()).toEqual({ kind: 'signed-out', needsEmailVerification: true, error });
  });

  it('leads to verification when an older server says so in its message only', async () => {
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

  it('reports a cut line as network error', async () => {
    const { auth, backend } = start();
    backend.failNext(1, 'network');
    expect(await auth.signIn(ada)).toMatchObject({
      error: { status: 0, error: 'network', message: 'Network Error' },
    });
  });

  it('keeps the person signed out, not loading, while the answer is awaited', async () => {
    const { auth } = start();
    await auth.ready();
    const result = auth.signUp(ada);
    await Promise.resolve();
    expect(auth.state().kind).toBe('signed-out');
    await result;
  });

  it('gives up on a server that never answers', async () => {
    const { auth, clock } = start({ fetch: hangingFetch });
    const result = auth.signIn(ada);
    await clock.advance(30_000);
    expect(await result).toMatchObject({ kind: 'failed', error: { error: 'network' } });
  });
});

describe('signing out', () => {
  it('forgets the session here and on the server', async () => {
    const { auth, backend, storage } = start();
    await auth.signUp(ada);
    expect(await auth.signOut()).toEqual({ ok: true });
    expect(auth.state()).toEqual({ kind: 'signed-out', needsEmailVerification: false });
    expect(storage.contents()).toEqual({});
    expect(backend.calls()).toContain(AUTH_PATHS.signOut);
  });

  it('forgets the session here even when the server cannot be reached', async () => {
    const { auth, backend, storage } = start();
    await auth.signUp(ada);
    backend.failNext(1, 'network');
    expect(await auth.signOut()).toMatchObject({ ok: false, error: { error: 'network' } });
    expect(auth.state().kind).toBe('signed-out');
    expect(storage.contents()).toEqual({});
  });

  it('is refused when nobody is signed in', async () => {
    const { auth } = start();
    await auth.ready();
    expect(await auth.signOut()).toMatchObject({ error: { error: 'unauthenticated-user' } });
  });

  it('that follows a sign-in at once waits for it', async () => {
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

  it('takes a session that was handed over in memory, and stores it', async () => {
    const { auth, backend, storage } = start({ session: buildSession() });
    await auth.ready();
    expect(auth.state()).toMatchObject({ kind: 'signed-in', accessToken: 'access-1' });
    expect(storage.getItem('nhostRefreshToken')).toBe('refresh-1');
    expect(backend.calls()).toEqual([]);
  });

  it('waits for a storage that is opened late', async () => {
    const { clock, backend, storage } = startStored();
    const opening = Promise.withResolvers<typeof storage>();
    const deps = { url: URL, clock, fetch: backend.fetch, storage: opening.promise };
    const auth = createAuth(deps);
    await settle();
    expect(auth.state()).toEqual({ kind: 'loading' });
    opening.resolve(storage);
    await auth.ready();
    expect(auth.state().kind).toBe('signed-in');
  });

  it('goes on without a storage that cannot be opened', async () => {
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

  it('imports the session from the address and cleans the address', async () => {
    const backend = createFakeAuthBackend();
    const { refreshToken } = backend.openSession();
    let href = `http://console/dashboard?refreshToken=${refreshToken}&type=verifyEmail&tab=2`;
    const addressBar = { href: () => href, replace };
    function replace(next: string) {
      href = next;
    }
    const { auth } = start({ fetch: backend.fetch, addressBar });
    await auth.ready();
    expect(auth.state().kind).toBe('signed-in');
    expect(href).toBe('http://console/dashboard?tab=2');
  });

  it('falls back to the stored session when the one of the address is spent', async () => {
    const { auth } = startStored({
      addressBar: { href: () => 'http://console/?refreshToken=spent', replace: () => undefined },
    });
    await auth.ready();
    expect(auth.state().kind).toBe('signed-in');
  });

  it('saves the error that the address tells', async () => {
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

  it('keeps the stored token after a failure that says nothing about it', async () => {
    const { backend, clock, storage } = startStored();
    backend.failNext(6, authError('internal-server-error'));
    await clock.advance(200_000);
    expect(storage.getItem('nhostRefreshToken')).not.toBeNull();
  });

  it('drops a refused token at once and saves the error', async () => {
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

  it('is said to be late after 15 seconds', async () => {
    const { auth, backend, clock } = startStored();
    backend.failNext(6, 'network');
    const readiness = expect(auth.ready()).rejects.toThrow(
      'The state machine is not yet ready after 15 seconds.',
    );
    await clock.advance(15_000);
    await readiness;
  });
});

describe('the refresh timer', () => {
  it('refreshes when 61 s of 900 remain, not earlier', async () => {
    const { auth, backend, clock } = start();
    await auth.signUp(ada);
    const before = auth.state();
    await clock.advance(839_000);
    expect(refreshes(backend)).toBe(0);
    await clock.advance(1_000);
    expect(refreshes(backend)).toBe(1);
    expect(auth.state()).not.toEqual(before);
  });

  it('starts anew after a success', async () => {
    const { auth, backend, clock } = start();
    await auth.signUp(ada);
    await clock.advance(3 * 840_000);
    expect(refreshes(backend)).toBe(3);
    expect(auth.state().kind).toBe('signed-in');
  });

  it('counts failures, waits 5 s doubled, and stays signed in after the last', async () => {
    const { auth, backend, clock } = start();
    await auth.signUp(ada);
    backend.failNext(6, 'network');
    await clock.advance(840_000);
    for (const wait of [5_000, 10_000, 20_000, 40_000, 80_000]) {
      const before = refreshes(backend);
      await clock.advance(wait - 1_000);
      expect(refreshes(backend)).toBe(before);
      await clock.advance(1_000);
      expect(refreshes(backend)).toBe(before + 1);
    }
    await clock.advance(1_200_000);
    expect(refreshes(backend)).toBe(6);
    expect(auth.state().kind).toBe('signed-in');
  });

  it('recovers on the next use of the token after it has given up', async () => {
    const { auth, backend, clock } = start();
    await auth.signUp(ada);
    backend.failNext(6, 'network');
    await clock.advance(1_200_000);
    expect(await auth.accessToken()).toMatch(/^access-/);
    await clock.advance(840_000);
    expect(refreshes(backend)).toBe(8);
  });

  it('signs out when the session is refused', async () => {
    const { auth, backend, clock, storage } = start();
    await auth.signUp(ada);
    backend.revokeAll();
    await clock.advance(840_000);
    expect(auth.state()).toMatchObject({ kind: 'signed-out', error: { status: 401 } });
    expect(storage.contents()).toEqual({});
    expect(clock.pending()).toBe(0);
  });

  it('does not sign out because of a page that some proxy sent', async () => {
    const page = () =>
      Promise.resolve(new Response('<h1>Sign in to the café</h1>', { status: 401 }));
    let isCaptive = false;
    const backend = createFakeAuthBackend();
    const { auth, clock } = start({
      fetch: (url, init) => (isCaptive ? page() : backend.fetch(url, init)),
    });
    await auth.signUp(ada);
    isCaptive = true;
    await clock.advance(840_000);
    expect(auth.state().kind).toBe('signed-in');
  });
});

describe('the access token', () => {
  it('is nothing for a visitor', async () => {
    expect(await start().auth.accessToken()).toBeUndefined();
  });

  it('is refreshed first when it expired during sleep, once for all who ask', async () => {
    const { auth, backend, clock } = start();
    await auth.signUp(ada);
    backend.failNext(6, 'network');
    await clock.advance(1_100_000);
    const before = refreshes(backend);
    const tokens = await Promise.all([auth.accessToken(), auth.accessToken(), auth.accessToken()]);
    expect(new Set(tokens).size).toBe(1);
    expect(refreshes(backend)).toBe(before + 1);
  });

  it('is nothing while it has expired and cannot be renewed', async () => {
    const { auth, backend, clock } = start();
    await auth.signUp(ada);
    backend.failNext(100, 'network');
    await clock.advance(1_100_000);
    expect(await auth.accessToken()).toBeUndefined();
  });
});

describe('a stopped client', () => {
  it('leaves no timer, keeps the stored session and answers those who wait', async () => {
    const { auth, clock, storage } = start();
    await auth.signUp(ada);
    auth.stop();
    expect(clock.pending()).toBe(0);
    expect(Object.keys(storage.contents())).toHaveLength(3);
  });

  it('tells listeners about every change until they leave', async () => {
    const { auth } = start();
    const kinds: AuthState['kind'][] = [];
    const leave = auth.subscribe(() => kinds.push(auth.state().kind));
    await auth.signUp(ada);
    leave();
    await auth.signOut();
    expect(kinds).toEqual(['signed-out', 'signed-in']);
  });
});

type Options = Partial<AuthDeps> & { backend?: FakeAuthOptions };

function start({ backend: options = {}, ...deps }: Options = {}) {
  const clock = createSimulatedClock();
  const backend = createFakeAuthBackend({ now: clock.now, ...options });
  const storage = createMemoryStorage();
  const auth = createAuth({ url: URL, clock, storage, fetch: backend.fetch, ...deps });
  return { auth, backend, clock, storage };
}

/** Starts with a session of an earlier visit in storage. */
function startStored(deps: Partial<AuthDeps> = {}) {
  const clock = createSimulatedClock();
  const backend = createFakeAuthBackend({ now: clock.now });
  const { refreshToken } = backend.openSession();
  const storage = createMemoryStorage({ nhostRefreshToken: refreshToken });
  const auth = createAuth({ url: URL, clock, storage, fetch: backend.fetch, ...deps });
  return { auth, backend, clock, storage };
}

function refreshes(backend: { calls(): string[] }): number {
  return backend.calls().filter((path) => path === AUTH_PATHS.token).length;
}

function hangingFetch(_url: string, init?: RequestInit): Promise<Response> {
  return new Promise((_, reject) => {
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
  });
}
