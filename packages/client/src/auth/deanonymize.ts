import { AUTH_PATHS, type AuthError } from '@longshore/contract';
import { afterMessage } from './authenticate.ts';
import type { EffectDeps } from './effect-deps.ts';
import type { DeanonymizeRequest } from './machine/auth-model.ts';
import { failed, type SignInOutcome } from './machine/outcome.ts';
import { withRedirect } from './redirect-option.ts';
import { refreshSession } from './refresh-session.ts';
import { isByPassword, passwordProblem, type SignInAttempt } from './sign-in-attempt.ts';
import { invalidMethod, methodProblem } from './sign-in-problem.ts';
import type { TabMessage } from './tab-message.ts';

/**
 * An anonymous person registers. Spec §6. The answer never holds a session: where nothing is left to prove
 * the one we have goes on under its new name, otherwise the server has ended it, and so do all tabs.
 */
export async function deanonymize(
  deps: EffectDeps,
  { attempt, session }: DeanonymizeRequest,
  signal: AbortSignal,
): Promise<SignInOutcome> {
  const body = deanonymizeBody(deps, attempt);
  if (body === undefined) return failed(invalidMethod('Unknown deanonymization method'));
  const problem = attemptProblem(attempt);
  if (problem !== undefined) return failed(problem);
  const { accessToken } = session;
  const answer = await deps.api.post(AUTH_PATHS.deanonymize, { body, signal, accessToken });
  if (!answer.ok) return failed(answer.error);
  const renamed = await refreshSession(deps, { known: session }, signal);
  if (renamed.kind === 'session') return renamed;
  if (!signal.aborted) {
    deps.store.clear();
    deps.channel?.post({ type: 'signed-out' } satisfies TabMessage);
  }
  return afterMessage(attempt);
}

function attemptProblem(attempt: SignInAttempt): AuthError | undefined {
  return isByPassword(attempt) ? passwordProblem(attempt) : methodProblem(attempt);
}

function deanonymizeBody(deps: EffectDeps, attempt: SignInAttempt): object | undefined {
  switch (attempt.kind) {
    case 'sign-up-email-password': {
      const { email, password } = attempt;
      const options = withRedirect(attempt.options, deps);
      return { signInMethod: 'email-password', email, password, options };
    }
    case 'passwordless-email': {
      const { email } = attempt;
      const options = withRedirect(attempt.options, deps);
      return { signInMethod: 'passwordless', connection: 'email', email, options };
    }
    case 'passwordless-sms': {
      const { phoneNumber } = attempt;
      const options = withRedirect(attempt.options, deps);
      return { signInMethod: 'passwordless', connection: 'sms', phoneNumber, options };
    }
    default:
      return undefined;
  }
}
