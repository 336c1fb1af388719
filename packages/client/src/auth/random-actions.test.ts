import { AUTH_PATHS, authError } from '@longshore/contract';
import {
  createFakeAuthBackend,
  createMemoryStorage,
  createSimulatedClock,
  settle,
} from '@longshore/testkit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Auth } from './auth.ts';
import { createAuth } from './create-auth.ts';
import { isRetryable } from './machine/outcome.ts';

type Network = 'online' | 'offline' | 'failing';
type Step =
  | { kind: 'action'; name: keyof typeof ACTIONS }
  | { kind: 'wait'; durationMs: number }
  | { kind: 'network'; network: Network }
  | { kind: 'revoke' }
  | { kind: 'reload' };

const ada = { email: 'ada@example.com', password: 'secret' };
const ACTIONS = {
  signUp: (auth: Auth) => auth.signUp(ada),
  signIn: (auth: Auth) => auth.signIn(ada),
  signInWithWrongPassword: (auth: Auth) => auth.signIn({ ...ada, password: 'wrong' }),
  signInAnonymously: (auth: Auth) => auth.signInBy({ kind: 'anonymous' }),
  signInByToken: (auth: Auth) =>
    auth.signInBy({ kind: 'personal-access-token', personalAccessToken: 'pat-1' }),
  requestSmsCode: (auth: Auth) => auth.signInBy({ kind: 'passwordless-sms', phoneNumber: '+1' }),
  signOut: (auth: Auth) => auth.signOut(),
  refresh: (auth: Auth) => auth.refresh(),
  tryWrongToken: (auth: Auth) => auth.refreshSession('refresh-none'),
  useToken: (auth: Auth) => auth.accessToken(),
};

it('keeps state, storage and server consistent for any sequence of actions', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep(), { maxLength: 25 }), async (steps) => {
      const page = openPage();
      for (const step of steps) {
        const before = page.auth().state();
        // A page that is still loading signs in with the token that it finds.
        const hasSession =
          before.kind === 'signed-in' ||
          (before.kind === 'loading' && page.storage.contents().nhostRefreshToken !== undefined);
        await page.perform(step);
        const after = page.auth().state();
        expectConsistency(page.auth(), page.storage.contents());
        const maySignOut =
          step.kind === 'reload' || (step.kind === 'action' && step.name === 'signOut');
        if (page.network() !== 'online' && before.kind === 'signed-in' && !maySignOut) {
          expect(after.kind).toBe('signed-in');
        }
        if (step.kind === 'action' && step.name === 'refresh' && page.network() === 'online') {
          expect(after.kind === 'signed-in').toBe(hasSession && !page.isRevoked());
        }
      }
      expect(page.maxConcurrent()).toBeLessThanOrEqual(1);
      page.auth().stop();
      expect(page.clock.pending()).toBe(0);
    }),
    { numRuns: 80 },
  );
});

function expectConsistency(auth: Auth, stored: Record<string, string>): void {
  const state = auth.state();
  const isStored = stored.nhostRefreshToken !== undefined;
  if (state.kind === 'signed-in') expect(isStored).toBe(true);
  // A token that could not be verified stays stored for the next page load.
  if (state.kind === 'signed-out' && isStored) {
    expect(state.error === undefined || isRetryable(state.error)).toBe(true);
  }
}

function anyStep(): fc.Arbitrary<Step> {
  const names = Object.keys(ACTIONS) as (keyof typeof ACTIONS)[];
  return fc.oneof(
    {
      weight: 5,
      arbitrary: fc.constantFrom(...names).map((name): Step => ({ kind: 'action', name })),
    },
    {
      weight: 3,
      arbitrary: fc
        .integer({ min: 0, max: 1_000_000 })
        .map((durationMs): Step => ({ kind: 'wait', durationMs })),
    },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom<Network>('online', 'offline', 'failing')
        .map((network): Step => ({ kind: 'network', network })),
    },
    { weight: 1, arbitrary: fc.constantFrom<Step>({ kind: 'revoke' }, { kind: 'reload' }) },
  );
}

/** A page on a fake server whose connection can be cut; counts concurrent refreshes. */
function openPage() {
  const clock = createSimulatedClock();
  const backend = createFakeAuthBackend({ now: clock.now });
  const storage = createMemoryStorage();
  let network: Network = 'online';
  let isRevoked = false;
  let refreshing = 0;
  let maxConcurrent = 0;

  async function respond(url: string, init?: RequestInit): Promise<Response> {
    if (network === 'offline') throw new TypeError('fetch failed');
    if (network === 'online') return backend.fetch(url, init);
    return Response.json(authError('internal-server-error'), { status: 500 });
  }

  const open = () =>
    createAuth({
      url: 'http://b/v1/auth',
      clock,
      storage,
      async fetch(url, init) {
        const isRefresh = url.endsWith(AUTH_PATHS.token);
        if (isRefresh) refreshing += 1;
        maxConcurrent = Math.max(maxConcurrent, refreshing);
        try {
          return await respond(url, init);
        } finally {
          if (isRefresh) refreshing -= 1;
        }
      },
    });
  let auth = open();

  async function perform(step: Step): Promise<void> {
    if (step.kind === 'action') {
      const wasSignedOut = auth.state().kind !== 'signed-in';
      const action = ACTIONS[step.name](auth);
      // Long enough for every retry at startup.
      await clock.advance(auth.state().kind === 'loading' ? 200_000 : 0);
      await action;
      if (wasSignedOut && auth.state().kind === 'signed-in') isRevoked = false;
    }
    if (step.kind === 'wait') await clock.advance(step.durationMs);
    if (step.kind === 'network') network = step.network;
    if (step.kind === 'revoke') {
      backend.revokeAll();
      isRevoked = true;
    }
    if (step.kind === 'reload') {
      auth.stop();
      auth = open();
    }
    await settle();
  }

  return {
    clock,
    storage,
    perform,
    auth: () => auth,
    network: () => network,
    isRevoked: () => isRevoked,
    maxConcurrent: () => maxConcurrent,
  };
}
