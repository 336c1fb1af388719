import { buildUser, createSimulatedClock, settle } from '@longshore/testkit';
import { createActor, type StateNode } from 'xstate';
import type { AuthSnapshot } from '../../../src/auth/machine/auth-actor.ts';
import { type AuthMachine, createAuthMachine } from '../../../src/auth/machine/auth-machine.ts';
import type { AuthEvent } from '../../../src/auth/machine/auth-model.ts';
import type { SignInAttempt } from '../../../src/auth/sign-in-attempt.ts';
import {
  anonymousSession,
  clientSession,
  createWorld,
  NETWORK,
  newerSession,
  type Outcome,
  REFUSED,
} from './world.ts';

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
  const world = createWorld();
  const clock = createSimulatedClock();
  const actor = createActor(createAuthMachine({ clock, effects: world.effects }), { clock });
  actor.start();
  return { actor, world, clock };
}

/** A machine that has been led to this state. */
export async function machineIn(state: string) {
  const { actor, world, clock } = startMachine();
  const answer = async (outcome: Outcome) => {
    world.answer(outcome);
    await settle();
  };
  const signIn = async (outcome: Outcome) => {
    await answer({ kind: 'none' });
    actor.send(EVENTS.SIGN_IN);
    await answer(outcome);
  };
  const then = async (outcome: Outcome, event: AuthEvent) => {
    await answer(outcome);
    actor.send(event);
  };
  const session = { kind: 'session' as const, session: clientSession() };
  const token = { ...session, session: { ...clientSession(), isPersonalAccessToken: true } };
  const anonymous = { ...session, session: anonymousSession() };
  const ways: Record<string, () => Promise<void>> = {
    'starting.importing': async () => undefined,
    'starting.waiting': () => answer(NETWORK),
    authenticating: () => then({ kind: 'none' }, EVENTS.SIGN_IN),
    tryingToken: () => then({ kind: 'none' }, EVENTS.TRY_TOKEN),
    'signedOut.noErrors': () => answer({ kind: 'none' }),
    'signedOut.success': () => then(session, EVENTS.SIGN_OUT_FROM_TAB),
    'signedOut.needsEmailVerification': () => signIn({ kind: 'needs-email-verification' }),
    'signedOut.needsSmsOtp': () => signIn({ kind: 'needs-sms-otp' }),
    'signedOut.needsEmailOtp': () => signIn({ kind: 'needs-email-otp' }),
    'signedOut.needsMfa': () => signIn({ kind: 'needs-mfa', ticket: 'mfaTotp:1' }),
    'signedOut.failed': () => signIn(REFUSED),
    'signedOut.signingOut': () => then(session, EVENTS.SIGN_OUT),
    'signedIn.timerOff': () => answer(token),
    'signedIn.waiting': () => answer(session),
    'signedIn.refreshing': () => then(session, EVENTS.REFRESH),
    'signedIn.deanonymizing': () => then(anonymous, { type: 'SIGN_IN', attempt: SIGN_UP }),
  };
  await ways[state]?.();
  if (nameOf(actor.getSnapshot()) !== state) throw new Error(`No way is known to ${state}`);
  return { actor, world, clock };
}

export function nameOf({ value }: AuthSnapshot): string {
  return typeof value === 'string' ? value : (Object.entries(value)[0] ?? []).join('.');
}

/** The states that the machine can rest in, as it tells them itself. */
export function restingStates({ root }: AuthMachine): string[] {
  return leavesOf(root)
    .filter((node) => node.type === 'atomic' && node.always === undefined)
    .map((node) => node.path.join('.'));
}

function leavesOf(node: Pick<StateNode, 'states'>): StateNode[] {
  return Object.values(node.states).flatMap((child) =>
    Object.keys(child.states).length === 0 ? [child] : leavesOf(child),
  );
}

/** The events that the machine answers anywhere, without those it raises itself. */
export function outsideEvents({ events }: AuthMachine): string[] {
  return events.filter((event) => !event.startsWith('xstate.'));
}
