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

type Line = 'whole' | 'cut' | 'broken';
type Step =
  | { kind: 'use'; name: keyof typeof USES }
  | { kind: 'wait'; durationMs: number }
  | { kind: 'line'; line: Line }
  | { kind: 'revoke' }
  | { kind: 'reload' };

const ada = { email: 'ada@example.com', password: 'secret' };
const USES = {
  signUp: (auth: Auth) => auth.signUp(ada),
  signIn: (auth: Auth) => auth.signIn(ada),
  signInWrongly: (auth: Auth) => auth.signIn({ ...ada, password: 'wrong' }),
  signInAnonymously: (auth: Auth) => auth.signInBy({ kind: 'anonymous' }),
  signInByToken: (auth: Auth) =>
    auth.signInBy({ kind: 'personal-access-token', personalAccessToken: 'pat-1' }),
  askForCode: (auth: Auth) => auth.signInBy({ kind: 'passwordless-sms', phoneNumber: '+1' }),
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
        await page.take(step);
        const after = page.auth().state();
        expectAgreement(page.auth(), page.storage.contents());
        const mayEnd = step.kind === 'reload' || (step.kind === 'use' && step.name === 'signOut');
        if (page.line() !== 'whole' && before.kind === 'signed-in' && !mayEnd) {
          expect(after.kind).toBe('signed-in');
        }
        if (step.kind === 'use' && step.name === 'refresh' && page.line() === 'whole') {
          expect(after.kind === 'signed-in').toBe(before.kind === 'signed-in' && !page.isRevoked());
        }
      }
      expect(page.mostAtOnce()).toBeLessThanOrEqual(1);
      page.auth().stop();
      expect(page.clock.pending()).toBe(0);
    }),
    { numRuns: 80 },
  );
});

function expectAgreement(auth: Auth, stored: Record<string, string>): void {
  const state = auth.state();
  const isStored = stored.nhostRefreshToken !== undefined;
  if (state.kind === 'signed-in') expect(isStored).toBe(true);
  // A token that could not be verified stays for the next visit.
  if (state.kind === 'signed-out' && isStored) {
    expect(state.error === undefined || isRetryable(state.error)).toBe(true);
  }
}

function anyStep(): fc.Arbitrary<Step> {
  const names = Object.keys(USES) as (keyof typeof USES)[];
  return fc.oneof(
    {
      weight: 5,
      arbitrary: fc.constantFrom(...names).map((name): Step => ({ kind: 'use', name })),
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
        .constantFrom<Line>('whole', 'cut', 'broken')
        .map((line): Step => ({ kind: 'line', line })),
    },
    { weight: 1, arbitrary: fc.constantFrom<Step>({ kind: 'revoke' }, { kind: 'reload' }) },
  );
}

/** A page on a fake server whose connection can be cut; counts concurrent refreshes. */
function openPage() {
  const clock = createSimulatedClock();
  const backend = createFakeAuthBackend({ now: clock.now });
  const storage = createMemoryStorage();
  let line: Line = 'whole';
  let isRevoked = false;
  let refreshing = 0;
  let mostAtOnce = 0;

  async function answer(url: string, init?: RequestInit): Promise<Response> {
    if (line === 'cut') throw new TypeError('fetch failed');
    if (line === 'whole') return backend.fetch(url, init);
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
        mostAtOnce = Math.max(mostAtOnce, refreshing);
        try {
          return await answer(url, init);
        } finally {
          if (isRefresh) refreshing -= 1;
        }
      },
    });
  let auth = open();

  async function take(step: Step): Promise<void> {
    if (step.kind === 'use') {
      const wasSignedOut = auth.state().kind !== 'signed-in';
      const used = USES[step.name](auth);
      // Long enough for every retry of a start.
      await clock.advance(auth.state().kind === 'loading' ? 200_000 : 0);
      await used;
      if (wasSignedOut && auth.state().kind === 'signed-in') isRevoked = false;
    }
    if (step.kind === 'wait') await clock.advance(step.durationMs);
    if (step.kind === 'line') line = step.line;
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
    take,
    auth: () => auth,
    line: () => line,
    isRevoked: () => isRevoked,
    mostAtOnce: () => mostAtOnce,
  };
}
