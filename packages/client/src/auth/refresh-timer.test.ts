import { createFakeAuthBackend } from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import { ada, refreshes, start } from '../../test/auth/start-auth.ts';

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

  it('restarts after a success', async () => {
    const { auth, backend, clock } = start();
    await auth.signUp(ada);
    await clock.advance(3 * 840_000);
    expect(refreshes(backend)).toBe(3);
    expect(auth.state().kind).toBe('signed-in');
  });

  it('retries after 5 s, doubles the delay each time, and stays signed in after the last retry', async () => {
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

  it('recovers when a request needs the token after the last retry', async () => {
    const { auth, backend, clock } = start();
    await auth.signUp(ada);
    backend.failNext(6, 'network');
    await clock.advance(1_200_000);
    expect(await auth.accessToken()).toMatch(/^access-/);
    await clock.advance(840_000);
    expect(refreshes(backend)).toBe(8);
  });

  it('signs out when the server rejects the session', async () => {
    const { auth, backend, clock, storage } = start();
    await auth.signUp(ada);
    backend.revokeAll();
    await clock.advance(840_000);
    expect(auth.state()).toMatchObject({ kind: 'signed-out', error: { status: 401 } });
    expect(storage.contents()).toEqual({});
    expect(clock.pending()).toBe(0);
  });

  it('does not sign out because of an error page from a proxy', async () => {
    const proxyPage = () =>
      Promise.resolve(new Response('<h1>Sign in to the café</h1>', { status: 401 }));
    let isBehindProxy = false;
    const backend = createFakeAuthBackend();
    const { auth, clock } = start({
      fetch: (url, init) => (isBehindProxy ? proxyPage() : backend.fetch(url, init)),
    });
    await auth.signUp(ada);
    isBehindProxy = true;
    await clock.advance(840_000);
    expect(auth.state().kind).toBe('signed-in');
  });
});

describe('the access token', () => {
  it('is undefined when signed out', async () => {
    expect(await start().auth.accessToken()).toBeUndefined();
  });

  it('is refreshed first when it expired during sleep, once for all callers', async () => {
    const { auth, backend, clock } = start();
    await auth.signUp(ada);
    backend.failNext(6, 'network');
    await clock.advance(1_100_000);
    const before = refreshes(backend);
    const tokens = await Promise.all([auth.accessToken(), auth.accessToken(), auth.accessToken()]);
    expect(new Set(tokens).size).toBe(1);
    expect(refreshes(backend)).toBe(before + 1);
  });

  it('is undefined while it has expired and cannot be refreshed', async () => {
    const { auth, backend, clock } = start();
    await auth.signUp(ada);
    backend.failNext(100, 'network');
    await clock.advance(1_100_000);
    expect(await auth.accessToken()).toBeUndefined();
  });
});
