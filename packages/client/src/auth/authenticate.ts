import { AUTH_PATHS, type AuthError, clientError, isRecord, isSession } from '@longshore/contract';
import type { AuthAnswer } from './auth-api.ts';
import type { EffectDeps } from './effect-deps.ts';
import { keepSession } from './keep-session.ts';
import { failed, type SignInOutcome } from './machine/outcome.ts';
import { withRedirect } from './redirect-option.ts';
import { isByPassword, passwordProblem, type SignInAttempt } from './sign-in-attempt.ts';

/** Makes one attempt to get a session, after the checks that need no server. */
export async function authenticate(
  deps: EffectDeps,
  attempt: SignInAttempt,
  signal: AbortSignal,
): Promise<SignInOutcome> {
  const answer = await ask(deps, attempt, signal);
  return outcomeOf(deps, { attempt, answer, signal });
}

async function ask(
  deps: EffectDeps,
  attempt: SignInAttempt,
  signal: AbortSignal,
): Promise<AuthAnswer> {
  if (!isByPassword(attempt)) {
    const { askByMethod } = await import('./sign-in-methods.ts');
    return askByMethod(deps, attempt, signal);
  }
  const error = passwordProblem(attempt);
  if (error !== undefined) return { ok: false, error };
  const { kind, email, password } = attempt;
  if (kind === 'sign-in-email-password') {
    return deps.api.post(AUTH_PATHS.signInEmailPassword, { body: { email, password }, signal });
  }
  const options = withRedirect(attempt.options, deps);
  return deps.api.post(AUTH_PATHS.signUpEmailPassword, {
    body: { email, password, options, setupCode: attempt.setupCode },
    signal,
  });
}

type Answered = { attempt: SignInAttempt; answer: AuthAnswer; signal: AbortSignal };

/** Spec §4: session, MFA ticket or error field; nothing of these means that a link or a code was sent. */
function outcomeOf(deps: EffectDeps, { attempt, answer, signal }: Answered): SignInOutcome {
  if (!answer.ok) {
    return isUnverified(answer.error)
      ? { kind: 'needs-email-verification', error: clientError('unverified-user') }
      : failed(answer.error);
  }
  const { session, mfa } = isRecord(answer.body) ? answer.body : {};
  if (isSession(session)) {
    const isPersonalAccessToken = attempt.kind === 'personal-access-token';
    return keepSession(deps, session, signal, { isPersonalAccessToken });
  }
  if (isRecord(mfa) && typeof mfa.ticket === 'string') {
    return { kind: 'needs-mfa', ticket: mfa.ticket };
  }
  return afterMessage(attempt);
}

/** What a message asks for that the server has sent. */
export function afterMessage({ kind }: SignInAttempt): SignInOutcome {
  if (kind === 'passwordless-sms') return { kind: 'needs-sms-otp' };
  return { kind: kind === 'email-otp' ? 'needs-email-otp' : 'needs-email-verification' };
}

/** Spec §4: a 401 with this code, or with the message of older servers. */
function isUnverified({ status, error, message }: AuthError): boolean {
  return status === 401 && (error === 'unverified-user' || message === 'Email is not verified');
}
