import { AUTH_PATHS, type AuthError, clientError, isRecord, isSession } from '@longshore/contract';
import type { AuthResponse } from './auth-api.ts';
import type { EffectDeps } from './effect-deps.ts';
import { failed, type SignInOutcome } from './machine/outcome.ts';
import { saveSession } from './save-session.ts';
import { credentialsError, isPasswordAttempt, type SignInAttempt } from './sign-in-attempt.ts';
import { withResolvedRedirect } from './url-parameters.ts';

/** One attempt to sign in or sign up, validated before it is sent. */
export async function authenticate(
  deps: EffectDeps,
  attempt: SignInAttempt,
  signal: AbortSignal,
): Promise<SignInOutcome> {
  const response = await send(deps, attempt, signal);
  return outcomeOf(deps, { attempt, response, signal });
}

async function send(
  deps: EffectDeps,
  attempt: SignInAttempt,
  signal: AbortSignal,
): Promise<AuthResponse> {
  if (!isPasswordAttempt(attempt)) {
    const { signInByMethod } = await import('./sign-in-methods.ts');
    return signInByMethod(deps, attempt, signal);
  }
  const error = credentialsError(attempt);
  if (error !== undefined) return { ok: false, error };
  const { kind, email, password } = attempt;
  if (kind === 'sign-in-email-password') {
    return deps.api.post(AUTH_PATHS.signInEmailPassword, { body: { email, password }, signal });
  }
  const options = withResolvedRedirect(attempt.options, deps.addressBar);
  return deps.api.post(AUTH_PATHS.signUpEmailPassword, {
    body: {
      email,
      password,
      options,
      setupCode: attempt.setupCode,
      invitation: attempt.invitation,
    },
    signal,
  });
}

type Exchange = { attempt: SignInAttempt; response: AuthResponse; signal: AbortSignal };

/** The response has a session, an MFA ticket or an error (spec-map 7.2.26); if none, the server sent a link or code. */
function outcomeOf(deps: EffectDeps, { attempt, response, signal }: Exchange): SignInOutcome {
  if (!response.ok) {
    return isUnverified(response.error)
      ? { kind: 'needs-email-verification', error: clientError('unverified-user') }
      : failed(response.error);
  }
  const { session } = isRecord(response.body) ? response.body : {};
  if (isSession(session)) {
    const isPersonalAccessToken = attempt.kind === 'personal-access-token';
    return saveSession(deps, session, signal, { isPersonalAccessToken });
  }
  return nextStep(attempt, response.body);
}

/** What the user has to do if the response has no session: enter a code of the second factor, or follow a message. */
export function nextStep(attempt: SignInAttempt, body: unknown): SignInOutcome {
  const { mfa } = isRecord(body) ? body : {};
  return isRecord(mfa) && typeof mfa.ticket === 'string'
    ? { kind: 'needs-mfa', ticket: mfa.ticket }
    : messageSentOutcome(attempt);
}

/** What the user has to do after the server sent an email or SMS. */
function messageSentOutcome({ kind }: SignInAttempt): SignInOutcome {
  if (kind === 'passwordless-sms') return { kind: 'needs-sms-otp' };
  return { kind: kind === 'email-otp' ? 'needs-email-otp' : 'needs-email-verification' };
}

/** A 401 with this code, or with the message of older servers (spec-map 4.1.41). */
function isUnverified({ status, error, message }: AuthError): boolean {
  return status === 401 && (error === 'unverified-user' || message === 'Email is not verified');
}
