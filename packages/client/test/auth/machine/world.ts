import { clientError } from '@longshore/contract';
import { buildSession, buildUser, createSimulatedClock } from '@longshore/testkit';
import { type ClientSession, toClientSession } from '../../../src/auth/client-session.ts';
import type { AuthEffects } from '../../../src/auth/machine/auth-model.ts';
import type { Failed } from '../../../src/auth/machine/outcome.ts';

export type Outcome = Awaited<ReturnType<AuthEffects[keyof AuthEffects]>>;
/** `anonymous` is the success of effects that bring a session, and plain success of the others. */
export type Answer = 'success' | 'anonymous' | Outcome;

export const NETWORK: Failed = { kind: 'failed', error: clientError('network') };
export const REFUSED: Failed = {
  kind: 'failed',
  error: { status: 401, error: 'invalid-refresh-token', message: 'No' },
};

type Waiting = { effect: keyof AuthEffects; answer(answer: Answer): void };

/** Effects that answer when told to: with the given outcome, or each with its own success. */
export function createWorld() {
  let waiting: Waiting[] = [];
  let refreshed: ClientSession | undefined;
  const ask = (effect: keyof AuthEffects, success: Outcome) => (signal: AbortSignal) =>
    new Promise<never>((resolve) => {
      const call = {
        effect,
        answer: (answer: Answer) => resolve(outcomeOf(answer, success) as never),
      };
      waiting.push(call);
      signal.addEventListener('abort', () => {
        waiting = waiting.filter((other) => other !== call);
      });
    });
  const arrived: Outcome = { kind: 'session', session: clientSession() };
  const authenticate = ask('authenticate', arrived);
  const deanonymize = ask('deanonymize', arrived);
  const refresh = ask('refresh', arrived);
  const signOut = ask('signOut', { kind: 'signed-out' });
  const effects: AuthEffects = {
    importSession: ask('importSession', arrived),
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
    /** The calls that nobody has answered or called off. */
    inFlight: () => waiting.map(({ effect }) => effect),
    answer(answer: Answer) {
      const answered = waiting;
      waiting = [];
      for (const call of answered) call.answer(answer);
    },
  };
}

function outcomeOf(answer: Answer, success: Outcome): Outcome {
  if (answer === 'anonymous' && success.kind === 'session') {
    return { ...success, session: anonymousSession() };
  }
  return typeof answer === 'string' ? success : answer;
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
