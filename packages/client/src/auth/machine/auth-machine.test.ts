import { clientError } from '@longshore/contract';
import { buildSession, buildUser, createSimulatedClock, settle } from '@longshore/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';
import { holdSession } from '../held-session.ts';
import { registrationOf } from '../registration.ts';
import type { SignInAttempt } from '../sign-in-attempt.ts';
import type { AuthSnapshot } from './auth-actor.ts';
import { createAuthMachine } from './auth-machine.ts';
import type { AuthEffects, AuthEvent } from './auth-model.ts';

type State =
  | 'starting.importing'
  | 'starting.waiting'
  | 'authenticating'
  | 'tryingToken'
  | 'signedOut.noErrors'
  | 'signedOut.success'
  | 'signedOut.needsEmailVerification'
  | 'signedOut.needsOtp'
  | 'signedOut.needsMfa'
  | 'signedOut.failed'
  | 'signedOut.signingOut'
  | 'signedIn.timerOff'
  | 'signedIn.waiting'
  | 'signedIn.refreshing'
  | 'signedIn.deanonymizing';

const attempt: SignInAttempt = {
  kind: 'sign-in-email-password',
  email: 'ada@example.com',
  password: 'secret',
};
const registration: SignInAttempt = {
  kind: 'sign-up-email-password',
  email: 'ada@example.com',
  password: 'secret',
};
const network = clientError('network');
const refused = { status: 401, error: 'invalid-refresh-token', message: 'No' };

const EVENTS: Record<AuthEvent['type'], AuthEvent> = {
  SIGN_IN: { type: 'SIGN_IN', attempt },
  SIGN_OUT: { type: 'SIGN_OUT', all: false },
  REFRESH: { type: 'REFRESH' },
  SESSION_FROM_TAB: { type: 'SESSION_FROM_TAB', session: newerSession() },
  SIGN_OUT_FROM_TAB: { type: 'SIGN_OUT_FROM_TAB' },
  TRY_TOKEN: { type: 'TRY_TOKEN', refreshToken: 'refresh-9' },
};

const IGNORE_ALL = {
  SIGN_IN: 'ignored',
  SIGN_OUT: 'ignored',
  REFRESH: 'ignored',
  SESSION_FROM_TAB: 'ignored',
  SIGN_OUT_FROM_TAB: 'ignored',
  TRY_TOKEN: 'ignored',
} as const;
const SIGNED_OUT = {
  ...IGNORE_ALL,
  SIGN_IN: 'authenticating',
  SESSION_FROM_TAB: 'signedIn.waiting',
  TRY_TOKEN: 'tryingToken',
} as const;
const SIGNED_IN = {
  SIGN_IN: 'ignored',
  SIGN_OUT: 'signedOut.signingOut',
  REFRESH: 'signedIn.refreshing',
  SESSION_FROM_TAB: 'signedIn.waiting',
  SIGN_OUT_FROM_TAB: 'signedOut.success',
  TRY_TOKEN: 'signedIn.refreshing',
} as const;

const TRANSITIONS: Record<State, Record<AuthEvent['type'], State | 'ignored'>> = {
  'starting.importing': { ...IGNORE_ALL, SIGN_OUT_FROM_TAB: 'signedOut.success' },
  'starting.waiting': {
    ...IGNORE_ALL,
    SESSION_FROM_TAB: 'signedIn.waiting',
    SIGN_OUT_FROM_TAB: 'signedOut.success',
    TRY_TOKEN: 'starting.importing',
  },
  authenticating: IGNORE_ALL,
  tryingToken: {
    ...IGNORE_ALL,
    SESSION_FROM_TAB: 'signedIn.waiting',
    SIGN_OUT_FROM_TAB: 'signedOut.noErrors',
  },
  'signedOut.noErrors': SIGNED_OUT,
  'signedOut.success': SIGNED_OUT,
  'signedOut.needsEmailVerification': SIGNED_OUT,
  'signedOut.needsOtp': SIGNED_OUT,
  'signedOut.needsMfa': SIGNED_OUT,
  'signedOut.failed': SIGNED_OUT,
  'signedOut.signingOut': IGNORE_ALL,
  'signedIn.timerOff': { ...SIGNED_IN, REFRESH: 'ignored', TRY_TOKEN: 'ignored' },
  'signedIn.waiting': SIGNED_IN,
  // Takes the session, but waits for the answer that may have replaced it already.
  'signedIn.refreshing': {
    ...SIGNED_IN,
    REFRESH: 'ignored',
    TRY_TOKEN: 'ignored',
    SESSION_FROM_TAB: 'signedIn.refreshing',
  },
  // Leaves for the session of somebody who is registered.
  'signedIn.deanonymizing': { ...SIGNED_IN, REFRESH: 'ignored', TRY_TOKEN: 'ignored' },
};

const ROWS = Object.entries(TRANSITIONS).flatMap(([state, row]) =>
  Object.entries(row).map(([event, next]) => [state, event, next] as const),
);

describe('the auth machine', () => {
  it.each(ROWS)('in %s takes %s: %s', async (state, event, next) => {
    const { actor } = await machineIn(state as State);
    actor.send(EVENTS[event as AuthEvent['type']]);
    expect(nameOf(actor.getSnapshot())).toBe(next === 'ignored' ? state : next);
    actor.stop();
  });

  it('stays signed in when a refresh is refused after another tab has brought a newer session', async () => {
    const { actor, world } = await machineIn('signedIn.refreshing');
    actor.send(EVENTS.SESSION_FROM_TAB);
    world.answer({ kind: 'failed', error: refused });
    await settle();
    expect(nameOf(actor.getSnapshot())).toBe('signedIn.waiting');
    expect(actor.getSnapshot().context.session?.accessToken).toBe('access-2');
    actor.stop();
  });

  it('goes back to the second factor when a token from another tab opens nothing', async () => {
    const { actor, world } = await machineIn('signedOut.needsMfa');
    actor.send(EVENTS.TRY_TOKEN);
    world.answer({ kind: 'failed', error: refused });
    await settle();
    expect(nameOf(actor.getSnapshot())).toBe('signedOut.needsMfa');
    expect(actor.getSnapshot().context.mfaTicket).toBe('mfaTotp:1');
    actor.stop();
  });

  it('leaves a newer session alone when an older one of the same person arrives late', async () => {
    const { actor } = await machineIn('signedIn.waiting');
    actor.send(EVENTS.SESSION_FROM_TAB);
    actor.send({ type: 'SESSION_FROM_TAB', session: heldSession() });
    expect(actor.getSnapshot().context.session?.accessToken).toBe('access-2');
    actor.stop();
  });

  it('keeps its invariants under any sequence of events, answers and waits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep(), { maxLength: 40 }), async (steps) => {
        const { actor, world, clock } = await machineIn('starting.importing');
        actor.subscribe(expectInvariants);
        for (const step of steps) {
          if (step.kind === 'event') actor.send(EVENTS[step.event]);
          if (step.kind === 'register') actor.send({ type: 'SIGN_IN', attempt: registration });
          if (step.kind === 'answer') world.answer(step.outcome);
          await (step.kind === 'wait' ? clock.advance(step.durationMs) : Promise.resolve());
          await Promise.resolve();
        }
        await settle();
        expectInvariants(actor.getSnapshot());
        actor.stop();
        expect(clock.pending()).toBe(0);
      }),
      { numRuns: 200 },
    );
  });
});

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
  const isRefreshing =
    snapshot.matches('tryingToken') || snapshot.matches({ signedIn: 'refreshing' });
  if (!isRefreshing) expect(context.givenToken).toBeUndefined();
  const isRegistered = context.session !== undefined && !context.session.user.isAnonymous;
  expect(registrationOf(snapshot).kind === 'complete').toBe(isRegistered);
  expect(context.importTokenAttempts).toBeLessThanOrEqual(5);
}

/** `anonymous` is the success of effects that bring a session, and plain success of the others. */
type Answer = 'success' | 'anonymous' | Outcome;
type Outcome = Awaited<ReturnType<AuthEffects[keyof AuthEffects]>>;

function anyStep() {
  return fc.oneof(
    fc.record({
      kind: fc.constant('event' as const),
      event: fc.constantFrom(...(Object.keys(EVENTS) as AuthEvent['type'][])),
    }),
    fc.record({
      kind: fc.constant('answer' as const),
      outcome: fc.constantFrom<Answer>(
        'success',
        'anonymous',
        { kind: 'failed', error: network },
        { kind: 'failed', error: refused },
      ),
    }),
    fc.record({ kind: fc.constant('register' as const) }),
    fc.record({ kind: fc.constant('wait' as const), durationMs: fc.integer({ max: 100_000 }) }),
  );
}

/** Effects that answer when told to: with the given outcome, or each with its own success. */
function createWorld() {
  let waiting: ((answer: Answer) => void)[] = [];
  const ask = (success: Outcome) => () =>
    new Promise<never>((resolve) => {
      waiting.push((answer) => resolve(outcomeOf(answer, success) as never));
    });
  const arrived: Outcome = { kind: 'session', session: heldSession() };
  const effects: AuthEffects = {
    importSession: ask(arrived),
    authenticate: ask(arrived),
    deanonymize: ask(arrived),
    refresh: ask(arrived),
    signOut: ask({ kind: 'signed-out' }),
  };
  return {
    effects,
    answer(answer: Answer) {
      for (const resolve of waiting) resolve(answer);
      waiting = [];
    },
  };
}

function outcomeOf(answer: Answer, success: Outcome): Outcome {
  if (answer === 'anonymous' && success.kind === 'session') {
    return { ...success, session: anonymousSession() };
  }
  return typeof answer === 'string' ? success : answer;
}

async function machineIn(state: State) {
  const world = createWorld();
  const clock = createSimulatedClock();
  const actor = createActor(createAuthMachine({ clock, effects: world.effects }), { clock });
  actor.start();
  const answer = async (outcome: Outcome) => {
    world.answer(outcome);
    await settle();
  };
  const signIn = async (outcome: Outcome) => {
    await answer({ kind: 'none' });
    actor.send(EVENTS.SIGN_IN);
    await answer(outcome);
  };
  const session = { kind: 'session' as const, session: heldSession() };
  const paths: Record<State, () => unknown> = {
    'starting.importing': () => undefined,
    'starting.waiting': () => answer({ kind: 'failed', error: network }),
    authenticating: async () => {
      await answer({ kind: 'none' });
      actor.send(EVENTS.SIGN_IN);
    },
    tryingToken: async () => {
      await answer({ kind: 'none' });
      actor.send(EVENTS.TRY_TOKEN);
    },
    'signedOut.noErrors': () => answer({ kind: 'none' }),
    'signedOut.success': async () => {
      await answer(session);
      actor.send(EVENTS.SIGN_OUT_FROM_TAB);
    },
    'signedOut.needsEmailVerification': () => signIn({ kind: 'needs-email-verification' }),
    'signedOut.needsOtp': () => signIn({ kind: 'needs-otp' }),
    'signedOut.needsMfa': () => signIn({ kind: 'needs-mfa', ticket: 'mfaTotp:1' }),
    'signedOut.failed': () => signIn({ kind: 'failed', error: refused }),
    'signedOut.signingOut': async () => {
      await answer(session);
      actor.send(EVENTS.SIGN_OUT);
    },
    'signedIn.timerOff': () =>
      answer({ ...session, session: { ...heldSession(), isPersonalAccessToken: true } }),
    'signedIn.waiting': () => answer(session),
    'signedIn.refreshing': async () => {
      await answer(session);
      actor.send(EVENTS.REFRESH);
    },
    'signedIn.deanonymizing': async () => {
      await answer({ ...session, session: anonymousSession() });
      actor.send({ type: 'SIGN_IN', attempt: registration });
    },
  };
  await paths[state]();
  expect(nameOf(actor.getSnapshot())).toBe(state);
  return { actor, world, clock };
}

function nameOf({ value }: AuthSnapshot): string {
  return typeof value === 'string' ? value : (Object.entries(value)[0] ?? []).join('.');
}

function heldSession() {
  return holdSession(buildSession(), createSimulatedClock().now());
}

function anonymousSession() {
  return { ...heldSession(), user: buildUser({ isAnonymous: true }) };
}

function newerSession() {
  const session = buildSession({ accessToken: 'access-2', user: buildUser() });
  return holdSession(session, createSimulatedClock().now() + 1_000);
}
