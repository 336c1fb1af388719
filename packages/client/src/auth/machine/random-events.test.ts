import { settle } from '@longshore/testkit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EVENTS, nameOf, SIGN_UP, startMachine } from '../../../test/auth/machine/machine-in.ts';
import { type Answer, NETWORK, REFUSED } from '../../../test/auth/machine/world.ts';
import type { ClientSession } from '../client-session.ts';
import { registrationOf } from '../registration.ts';
import { type AuthSnapshot, isRefreshing } from './auth-actor.ts';
import type { AuthEvent } from './auth-model.ts';

type Step =
  | { kind: 'event'; event: AuthEvent }
  | { kind: 'answer'; answer: Answer }
  | { kind: 'wait'; durationMs: number };

it('keeps its invariants under any sequence of events, answers and waits', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep(), { maxLength: 40 }), async (steps) => {
      const { actor, world, clock } = startMachine();
      actor.subscribe(expectInvariants);
      for (const step of steps) {
        const before = actor.getSnapshot();
        if (step.kind === 'event') actor.send(step.event);
        if (step.kind === 'answer') world.answer(step.answer);
        await (step.kind === 'wait' ? clock.advance(step.durationMs) : settle());
        const after = actor.getSnapshot();
        expectOneCall(after, world.inFlight());
        if (step.kind === 'answer') expectVerdict(before, step.answer, after, world.refreshed());
      }
      actor.stop();
      expect([clock.pending(), world.inFlight()]).toEqual([0, []]);
    }),
    { numRuns: 200 },
  );
});

function anyStep(): fc.Arbitrary<Step> {
  const events: AuthEvent[] = [...Object.values(EVENTS), { type: 'SIGN_IN', attempt: SIGN_UP }];
  const answers: Answer[] = ['success', 'anonymous', NETWORK, REFUSED];
  return fc.oneof(
    fc.constantFrom(...events).map((event): Step => ({ kind: 'event', event })),
    fc.constantFrom(...answers).map((answer): Step => ({ kind: 'answer', answer })),
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

/** Each state that waits for the world has asked once; the others have asked nothing. */
function expectOneCall(snapshot: AuthSnapshot, inFlight: string[]): void {
  const call: Record<string, string> = {
    'starting.importing': 'importSession',
    authenticating: 'authenticate',
    tryingToken: 'refresh',
    'signedOut.signingOut': 'signOut',
    'signedIn.refreshing': 'refresh',
    'signedIn.deanonymizing': 'deanonymize',
  };
  const expected = call[nameOf(snapshot)];
  expect(inFlight).toEqual(expected === undefined ? [] : [expected]);
}

/** A refused token always ends signed out, unless another tab brought a newer one; a cut line never does. */
function expectVerdict(
  before: AuthSnapshot,
  answer: Answer,
  after: AuthSnapshot,
  refreshed: ClientSession | undefined,
): void {
  if (before.matches('signedIn') && answer === NETWORK)
    expect(after.matches('signedIn')).toBe(true);
  if (!before.matches({ signedIn: 'refreshing' }) || answer !== REFUSED) return;
  const isNewer = before.context.session?.accessToken !== refreshed?.accessToken;
  expect(nameOf(after)).toBe(isNewer ? 'signedIn.waiting' : 'signedOut.failed');
}
