import { clientError } from '@longshore/contract';
import { buildSession, buildUser, createSimulatedClock } from '@longshore/testkit';
import { type ClientSession, toClientSession } from '../../../src/auth/client-session.ts';
import type { AuthEffects } from '../../../src/auth/machine/auth-model.ts';
import type { Failed } from '../../../src/auth/machine/outcome.ts';

export type Outcome = Awaited<ReturnType<AuthEffects[keyof AuthEffects]>>;
/** `success` is the successful outcome of each effect; `anonymous` the same with the session of an anonymous user. */
export type FakeOutcome = 'success' | 'anonymous' | Outcome;

export const NETWORK: Failed = { kind: 'failed', error: clientError('network') };
export const REJECTED: Failed = {
  kind: 'failed',
  error: { status: 401, error: 'invalid-refresh-token', message: 'No' },
};

type PendingCall = { effect: keyof AuthEffects; finish(outcome: FakeOutcome): void };

/** Effects that stay pending until `finish` is called. */
export function createFakeEffects() {
  let pending: PendingCall[] = [];
  let refreshed: ClientSession | undefined;
  const call = (effect: keyof AuthEffects, success: Outcome) => (signal: AbortSignal) =>
    new Promise<never>((resolve) => {
      const pendingCall = {
        effect,
        finish: (outcome: FakeOutcome) => resolve(outcomeOf(outcome, success) as never),
      };
      pending.push(pendingCall);
      signal.addEventListener('abort', () => {
        pending = pending.filter((other) => other !== pendingCall);
      });
    });
  const withSession: Outcome = { kind: 'session', session: clientSession() };
  const authenticate = call('authenticate', withSession);
  const deanonymize = call('deanonymize', withSession);
  const refresh = call('refresh', withSession);
  const signOut = call('signOut', { kind: 'signed-out' });
  const effects: AuthEffects = {
    importSession: call('importSession', withSession),
    authenticate: (_, signal) => authenticate(signal),
    deanonymize: (_, signal) => deanonymize(signal),
    refresh({ session }, signal) {
      refreshed = session;
      return refresh(signal);
    },
    signOut: (_, signal) => signOut(signal),
  };
  return {
    effects,
    /** The session that was refreshed last. */
    refreshed: () => refreshed,
    /** The calls that are neither finished nor aborted. */
    inFlight: () => pending.map(({ effect }) => effect),
    finish(outcome: FakeOutcome) {
      const finished = pending;
      pending = [];
      for (const pendingCall of finished) pendingCall.finish(outcome);
    },
  };
}

function outcomeOf(outcome: FakeOutcome, success: Outcome): Outcome {
  if (outcome === 'anonymous' && success.kind === 'session') {
    return { ...success, session: anonymousSession() };
  }
  return typeof outcome === 'string' ? success : outcome;
}

export function clientSession(): ClientSession {
  return toClientSession(buildSession(), createSimulatedClock().now());
}

export function anonymousSession(): ClientSession {
  return { ...clientSession(), user: buildUser({ isAnonymous: true }) };
}

export function newerSession(): ClientSession {
  const session = buildSession({ accessToken: 'access-2', user: buildUser() });
  return toClientSession(session, createSimulatedClock().now() + 1_000);
}
