import { buildUser, createSimulatedClock, settle } from '@longshore/testkit';
import { createActor, type StateNode } from 'xstate';
import type { AuthSnapshot } from '../../../src/auth/machine/auth-actor.ts';
import { type AuthMachine, createAuthMachine } from '../../../src/auth/machine/auth-machine.ts';
import type { AuthEvent } from '../../../src/auth/machine/auth-model.ts';
import type { SignInAttempt } from '../../../src/auth/sign-in-attempt.ts';
import {
  anonymousSession,
  clientSession,
  createFakeEffects,
  NETWORK,
  newerSession,
  type Outcome,
  REJECTED,
} from './fake-effects.ts';

const credentials = { email: 'ada@example.com', password: 'secret' };
const SIGN_IN: SignInAttempt = { kind: 'sign-in-email-password', ...credentials };
export const SIGN_UP: SignInAttempt = { kind: 'sign-up-email-password', ...credentials };

export const EVENTS: Record<AuthEvent['type'], AuthEvent> = {
  SIGN_IN: { type: 'SIGN_IN', attempt: SIGN_IN },
  SIGN_OUT: { type: 'SIGN_OUT', all: false },
  REFRESH: { type: 'REFRESH' },
  SESSION_FROM_TAB: { type: 'SESSION_FROM_TAB', session: newerSession() },
  USER_UPDATED: { type: 'USER_UPDATED', user: buildUser({ displayName: 'Ada' }) },
  SIGN_OUT_FROM_TAB: { type: 'SIGN_OUT_FROM_TAB' },
  TRY_TOKEN: { type: 'TRY_TOKEN', refreshToken: 'refresh-9' },
};

export function startMachine() {
  const fakes = createFakeEffects();
  const clock = createSimulatedClock();
  const actor = createActor(createAuthMachine({ clock, effects: fakes.effects }), { clock });
  actor.start();
  return { actor, fakes, clock };
}

/** A machine in this state. */
export async function machineInState(state: string) {
  const { actor, fakes, clock } = startMachine();
  const finish = async (outcome: Outcome) => {
    fakes.finish(outcome);
    await settle();
  };
  const signIn = async (outcome: Outcome) => {
    await finish({ kind: 'none' });
    actor.send(EVENTS.SIGN_IN);
    await finish(outcome);
  };
  const finishThenSend = async (outcome: Outcome, event: AuthEvent) => {
    await finish(outcome);
    actor.send(event);
  };
  const session = { kind: 'session' as const, session: clientSession() };
  const token = { ...session, session: { ...clientSession(), isPersonalAccessToken: true } };
  const anonymous = { ...session, session: anonymousSession() };
  const enterState: Record<string, () => Promise<void>> = {
    'starting.importing': async () => undefined,
    'starting.waiting': () => finish(NETWORK),
    authenticating: () => finishThenSend({ kind: 'none' }, EVENTS.SIGN_IN),
    tryingToken: () => finishThenSend({ kind: 'none' }, EVENTS.TRY_TOKEN),
    'signedOut.noErrors': () => finish({ kind: 'none' }),
    'signedOut.success': () => finishThenSend(session, EVENTS.SIGN_OUT_FROM_TAB),
    'signedOut.needsEmailVerification': () => signIn({ kind: 'needs-email-verification' }),
    'signedOut.needsSmsOtp': () => signIn({ kind: 'needs-sms-otp' }),
    'signedOut.needsEmailOtp': () => signIn({ kind: 'needs-email-otp' }),
    'signedOut.needsMfa': () => signIn({ kind: 'needs-mfa', ticket: 'mfaTotp:1' }),
    'signedOut.failed': () => signIn(REJECTED),
    'signedOut.signingOut': () => finishThenSend(session, EVENTS.SIGN_OUT),
    'signedIn.timerOff': () => finish(token),
    'signedIn.waiting': () => finish(session),
    'signedIn.refreshing': () => finishThenSend(session, EVENTS.REFRESH),
    'signedIn.deanonymizing': () =>
      finishThenSend(anonymous, { type: 'SIGN_IN', attempt: SIGN_UP }),
  };
  await enterState[state]?.();
  if (nameOf(actor.getSnapshot()) !== state) throw new Error(`Don’t know how to reach ${state}`);
  return { actor, fakes, clock };
}

export function nameOf({ value }: AuthSnapshot): string {
  return typeof value === 'string' ? value : (Object.entries(value)[0] ?? []).join('.');
}

/** All leaf states of the machine without immediate transitions. */
export function stableStates({ root }: AuthMachine): string[] {
  return leavesOf(root)
    .filter((node) => node.type === 'atomic' && node.always === undefined)
    .map((node) => node.path.join('.'));
}

function leavesOf(node: Pick<StateNode, 'states'>): StateNode[] {
  return Object.values(node.states).flatMap((child) =>
    Object.keys(child.states).length === 0 ? [child] : leavesOf(child),
  );
}

/** All events that the machine handles, without those of XState itself. */
export function externalEvents({ events }: AuthMachine): string[] {
  return events.filter((event) => !event.startsWith('xstate.'));
}
