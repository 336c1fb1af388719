import { AUTH_PATHS, type AuthError } from '@longshore/contract';
import { nextStep } from './authenticate.ts';
import type { EffectDeps } from './effect-deps.ts';
import type { DeanonymizeRequest } from './machine/auth-model.ts';
import { failed, type SignInOutcome } from './machine/outcome.ts';
import { refreshSession } from './refresh-session.ts';
import { credentialsError, isPasswordAttempt, type SignInAttempt } from './sign-in-attempt.ts';
import { invalidMethodError, methodError } from './sign-in-validation.ts';
import type { TabMessage } from './tab-messages.ts';
import { withResolvedRedirect } from './url-parameters.ts';

/**
 * Registers an anonymous user (spec-map 6.4). The response contains no session. If nothing is left to verify, refreshing
 * the current session returns the registered user; otherwise the server has ended the session, and every tab signs out.
 */
export async function deanonymize(
  deps: EffectDeps,
  { attempt, session }: DeanonymizeRequest,
  signal: AbortSignal,
): Promise<SignInOutcome> {
  const body = deanonymizeBody(deps, attempt);
  if (body === undefined) return failed(invalidMethodError('Unknown deanonymization method'));
  const error = attemptError(attempt);
  if (error !== undefined) return failed(error);
  const { accessToken } = session;
  const response = await deps.api.post(AUTH_PATHS.deanonymize, { body, signal, accessToken });
  if (!response.ok) return failed(response.error);
  const refreshed = await refreshSession(deps, { known: session }, signal);
  if (refreshed.kind === 'session') return refreshed;
  if (!signal.aborted) {
    deps.store.clear();
    deps.channel?.post({ type: 'signed-out' } satisfies TabMessage);
  }
  return nextStep(attempt, response.body);
}

function attemptError(attempt: SignInAttempt): AuthError | undefined {
  return isPasswordAttempt(attempt) ? credentialsError(attempt) : methodError(attempt);
}

function deanonymizeBody(deps: EffectDeps, attempt: SignInAttempt): object | undefined {
  switch (attempt.kind) {
    case 'sign-up-email-password': {
      const { email, password } = attempt;
      const options = withResolvedRedirect(attempt.options, deps.addressBar);
      return { signInMethod: 'email-password', email, password, options };
    }
    case 'passwordless-email': {
      const { email } = attempt;
      const options = withResolvedRedirect(attempt.options, deps.addressBar);
      return { signInMethod: 'passwordless', connection: 'email', email, options };
    }
    case 'passwordless-sms': {
      const { phoneNumber } = attempt;
      const options = withResolvedRedirect(attempt.options, deps.addressBar);
      return { signInMethod: 'passwordless', connection: 'sms', phoneNumber, options };
    }
    default:
      return undefined;
  }
}
