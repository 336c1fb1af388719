import { settle } from '@longshore/testkit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type FakeOutcome, NETWORK, REJECTED } from '../../../test/auth/machine/fake-effects.ts';
import {
  EVENTS,
  nameOf,
  SIGN_UP,
  startMachine,
} from '../../../test/auth/machine/machine-in-state.ts';
import type { ClientSession } from '../client-session.ts';
import { registrationOf } from '../registration.ts';
import { type AuthSnapshot, isRefreshing } from './auth-actor.ts';
import type { AuthEvent } from './auth-model.ts';

type Step =
  | { kind: 'event'; event: AuthEvent }
  | { kind: 'outcome'; outcome: FakeOutcome }
  | { kind: 'wait'; durationMs: number };

it('the auth machine keeps its invariants for any sequence of events, outcomes and waits', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep(), { maxLength: 40 }), async (steps) => {
      const { actor, fakes, clock } = startMachine();
      actor.subscribe(expectInvariants);
      for (const step of steps) {
        const before = actor.getSnapshot();
        if (step.kind === 'event') actor.send(step.event);
        if (step.kind === 'outcome') fakes.finish(step.outcome);
        await (step.kind === 'wait' ? clock.advance(step.durationMs) : settle());
        const after = actor.getSnapshot();
        expectOneCall(after, fakes.inFlight());
        if (step.kind === 'outcome')
          expectStateAfterOutcome(before, step.outcome, after, fakes.refreshed());
      }
      actor.stop();
      expect([clock.pending(), fakes.inFlight()]).toEqual([0, []]);
    }),
    { numRuns: 200 },
  );
});

function anyStep(): fc.Arbitrary<Step> {
  const events: AuthEvent[] = [...Object.values(EVENTS), { type: 'SIGN_IN', attempt: SIGN_UP }];
  const outcomes: FakeOutcome[] = ['success', 'anonymous', NETWORK, REJECTED];
  return fc.oneof(
    fc.constantFrom(...events).map((event): Step => ({ kind: 'event', event })),
    fc.constantFrom(...outcomes).map((outcome): Step => ({ kind: 'outcome', outcome })),
    fc.integer({ min: 0, max: 100_000 }).map((durationMs): Step => ({ kind: 'wait', durationMs })),
  );
}

function expectInvariants(snapshot: AuthSnapshot): void {
  const { context, status } = snapshot;
  if (status !== 'active') return;
  expect(snapshot.matches('signedIn')).toBe(context.session !== undefined);
  const isAttempting =
    snapshot.matches('authenticating') || snapshot.matches({ signedIn: 'deanonymizing' });
  expect(isAttempting).toBe(context.attempt !== undefined);
  expect(snapshot.matches({ signedOut: 'signingOut' })).toBe(context.signOutRequest !== undefined);
  if (snapshot.matches({ signedOut: 'failed' })) expect(context.error).toBeDefined();
  if (snapshot.matches({ signedOut: 'noErrors' })) expect(context.error).toBeUndefined();
  if (!isRefreshing(snapshot)) expect(context.offeredToken).toBeUndefined();
  const isRegistered = context.session !== undefined && !context.session.user.isAnonymous;
  expect(registrationOf(snapshot).kind === 'complete').toBe(isRegistered);
  expect(context.importTokenAttempts).toBeLessThanOrEqual(5);
}

/** Each state with an effect has exactly one call in flight, the others none. */
function expectOneCall(snapshot: AuthSnapshot, inFlight: string[]): void {
  const effectOfState: Record<string, string> = {
    'starting.importing': 'importSession',
    authenticating: 'authenticate',
    tryingToken: 'refresh',
    'signedOut.signingOut': 'signOut',
    'signedIn.refreshing': 'refresh',
    'signedIn.deanonymizing': 'deanonymize',
  };
  const expected = effectOfState[nameOf(snapshot)];
  expect(inFlight).toEqual(expected === undefined ? [] : [expected]);
}

/** A rejected refresh signs the user out, unless another tab sent a newer session; a network error never does. */
function expectStateAfterOutcome(
  before: AuthSnapshot,
  outcome: FakeOutcome,
  after: AuthSnapshot,
  refreshed: ClientSession | undefined,
): void {
  if (before.matches('signedIn') && outcome === NETWORK)
    expect(after.matches('signedIn')).toBe(true);
  if (!before.matches({ signedIn: 'refreshing' }) || outcome !== REJECTED) return;
  const isNewer = before.context.session?.accessToken !== refreshed?.accessToken;
  expect(nameOf(after)).toBe(isNewer ? 'signedIn.waiting' : 'signedOut.failed');
}
