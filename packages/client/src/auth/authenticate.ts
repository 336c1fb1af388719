import { AUTH_PATHS, type AuthError, isRecord, isSession } from '@longshore/contract';
import { resolveRedirect } from './address-parameters.ts';
import type { SignUpOptions } from './auth.ts';
import type { AuthAnswer } from './auth-api.ts';
import type { EffectDeps } from './effects.ts';
import { keepSession } from './keep-session.ts';
import { failed, type SignInOutcome } from './outcome.ts';
import { attemptProblem, type SignInAttempt } from './sign-in-attempt.ts';

/** Makes one attempt to get a session, after the checks that need no server. */
export async function authenticate(
  deps: EffectDeps,
  attempt: SignInAttempt,
  signal: AbortSignal,
): Promise<SignInOutcome> {
  const problem = attemptProblem(attempt);
  if (problem !== undefined) return failed(problem);
  return outcomeOf(deps, await ask(deps, attempt, signal), signal);
}

function ask(
  { api, address }: EffectDeps,
  attempt: SignInAttempt,
  signal: AbortSignal,
): Promise<AuthAnswer> {
  const { kind, email, password } = attempt;
  switch (kind) {
    case 'sign-in-email-password':
      return api.post(AUTH_PATHS.signInEmailPassword, { body: { email, password }, signal });
    case 'sign-up-email-password': {
      const options = withRedirect(attempt.options, address?.href());
      return api.post(AUTH_PATHS.signUpEmailPassword, {
        body: { email, password, options },
        signal,
      });
    }
  }
}

/** Spec §4: session, MFA ticket or error field; nothing of these means that a mail was sent. */
function outcomeOf(deps: EffectDeps, answer: AuthAnswer, signal: AbortSignal): SignInOutcome {
  if (!answer.ok) {
    return isUnverified(answer.error) ? { kind: 'needs-email-verification' } : failed(answer.error);
  }
  const { session, mfa } = isRecord(answer.body) ? answer.body : {};
  if (isSession(session)) return keepSession(deps, session, signal);
  if (isRecord(mfa) && typeof mfa.ticket === 'string') {
    return { kind: 'needs-mfa', ticket: mfa.ticket };
  }
  return { kind: 'needs-email-verification' };
}

/** Spec §4: a 401 with this code, or with the message of older servers. */
function isUnverified({ status, error, message }: AuthError): boolean {
  return status === 401 && (error === 'unverified-user' || message === 'Email is not verified');
}

function withRedirect(
  options: SignUpOptions | undefined,
  href: string | undefined,
): SignUpOptions | undefined {
  if (options?.redirectTo === undefined || href === undefined) return options;
  return { ...options, redirectTo: resolveRedirect(options.redirectTo, href) };
}
