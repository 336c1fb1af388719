import {
  createFakeAuthBackend,
  createMemoryStorage,
  createSimulatedClock,
} from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import { createSessionStore, type StoredToken } from '../storage/session-store.ts';
import { createAuthApi } from './auth-api.ts';
import type { EffectDeps } from './effect-deps.ts';
import { type KnownTokens, refreshSession } from './refresh-session.ts';

describe('refreshing', () => {
  it.each<[string, string | undefined, (validToken: string) => KnownTokens, number]>([
    [
      'the token offered by another tab',
      undefined,
      (offered) => ({ offered, known: aToken('bad') }),
      1,
    ],
    [
      'the token of this tab if none is stored',
      undefined,
      (known) => ({ known: aToken(known) }),
      1,
    ],
    [
      'the token of this tab after an invalid one from another tab',
      undefined,
      (known) => ({ offered: 'bad', known: aToken(known) }),
      2,
    ],
    [
      'the stored token after an invalid one from another tab',
      'stored',
      () => ({ offered: 'bad' }),
      2,
    ],
  ])('uses %s', async (_, stored, tokens, calls) => {
    const { deps, backend, storage, validToken } = await prepare(stored !== undefined);
    const outcome = await refreshSession(deps, tokens(validToken), new AbortController().signal);
    expect(outcome.kind).toBe('session');
    expect(backend.calls()).toHaveLength(calls);
    expect(storage.getItem('nhostRefreshToken')).not.toBeNull();
  });

  it('sends no request without a token', async () => {
    const { deps, backend } = await prepare(false);
    expect(await refreshSession(deps, {}, new AbortController().signal)).toMatchObject({
      kind: 'failed',
      error: { status: 10, message: 'No refresh token has been provided' },
    });
    expect(backend.calls()).toEqual([]);
  });

  it('keeps a newer token that another tab has stored in the meantime', async () => {
    const { deps, storage } = await prepare(true);
    const refreshing = refreshSession(deps, {}, new AbortController().signal);
    storage.setItem('nhostRefreshToken', 'refresh-newer');
    expect((await refreshing).kind).toBe('session');
    expect(storage.getItem('nhostRefreshToken')).toBe('refresh-newer');
  });

  it('stores nothing if another tab has signed out in the meantime', async () => {
    const { deps, storage } = await prepare(true);
    const refreshing = refreshSession(deps, {}, new AbortController().signal);
    storage.removeItem('nhostRefreshToken');
    await refreshing;
    expect(storage.contents()).toEqual({});
  });

  it('keeps the stored token after a network error', async () => {
    const { deps, backend, storage, validToken } = await prepare(true);
    backend.failNext(1, 'network');
    await refreshSession(deps, {}, new AbortController().signal);
    expect(storage.getItem('nhostRefreshToken')).toBe(validToken);
  });
});

async function prepare(isStored: boolean) {
  const clock = createSimulatedClock();
  const backend = createFakeAuthBackend({ now: () => clock.now() });
  const storage = createMemoryStorage();
  const validToken = backend.openSession().refreshToken;
  if (isStored) storage.setItem('nhostRefreshToken', validToken);
  const deps: EffectDeps = {
    api: createAuthApi({ url: 'http://backend/v1/auth', clock, fetch: backend.fetch }),
    store: createSessionStore(storage),
    clock,
    lock: (job) => job(),
    channel: undefined,
    addressBar: undefined,
    session: undefined,
    securityKeys: { create: () => Promise.reject(), prove: () => Promise.reject() },
  };
  await deps.store.open();
  return { deps, backend, storage, validToken };
}

function aToken(refreshToken: string): StoredToken {
  return { refreshToken, isPersonalAccessToken: false };
}
