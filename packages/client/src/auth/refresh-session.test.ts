import {
  createFakeAuthBackend,
  createMemoryStorage,
  createSimulatedClock,
} from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import { createAuthApi } from './auth-api.ts';
import type { EffectDeps } from './effect-deps.ts';
import { type KnownTokens, refreshSession } from './refresh-session.ts';
import { createSessionStore } from './session-store.ts';

describe('refreshing', () => {
  it.each<[string, string | undefined, (good: string) => KnownTokens, number]>([
    ['the token given by a tab', undefined, (given) => ({ given, known: 'bad' }), 1],
    ['the token of this tab when nothing is stored', undefined, (known) => ({ known }), 1],
    [
      'its own token after a bad one from a tab',
      undefined,
      (known) => ({ given: 'bad', known }),
      2,
    ],
    ['the stored token after a bad one from a tab', 'stored', () => ({ given: 'bad' }), 2],
  ])('uses %s', async (_, stored, tokens, calls) => {
    const { deps, backend, storage, good } = prepare(stored !== undefined);
    const outcome = await refreshSession(deps, tokens(good), new AbortController().signal);
    expect(outcome.kind).toBe('session');
    expect(backend.calls()).toHaveLength(calls);
    expect(storage.getItem('nhostRefreshToken')).not.toBeNull();
  });

  it('asks nobody without a token', async () => {
    const { deps, backend } = prepare(false);
    expect(await refreshSession(deps, {}, new AbortController().signal)).toMatchObject({
      kind: 'failed',
      error: { status: 10, message: 'No refresh token has been provided' },
    });
    expect(backend.calls()).toEqual([]);
  });

  it('keeps the stored token when the line is cut', async () => {
    const { deps, backend, storage, good } = prepare(true);
    backend.failNext(1, 'network');
    await refreshSession(deps, {}, new AbortController().signal);
    expect(storage.getItem('nhostRefreshToken')).toBe(good);
  });
});

function prepare(isStored: boolean) {
  const clock = createSimulatedClock();
  const backend = createFakeAuthBackend({ now: () => clock.now() });
  const storage = createMemoryStorage();
  const good = backend.openSession().refreshToken;
  if (isStored) storage.setItem('nhostRefreshToken', good);
  const deps: EffectDeps = {
    api: createAuthApi({ url: 'http://backend/v1/auth', clock, fetch: backend.fetch }),
    store: createSessionStore(storage),
    clock,
    lock: (job) => job(),
    channel: undefined,
    address: undefined,
    session: undefined,
    securityKeys: { create: () => Promise.reject(), prove: () => Promise.reject() },
  };
  return { deps, backend, storage, good };
}
