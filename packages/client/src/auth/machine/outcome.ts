import type { AuthError } from '@longshore/contract';
import type { ClientSession } from '../client-session.ts';

export type Failed = { kind: 'failed'; error: AuthError };
export type SessionOutcome = { kind: 'session'; session: ClientSession };

export type NeedsMfa = { kind: 'needs-mfa'; ticket: string };

export type ImportOutcome = SessionOutcome | Failed | NeedsMfa | { kind: 'none' };
export type RefreshOutcome = SessionOutcome | Failed;
export type SignOutOutcome = { kind: 'signed-out' } | Failed;
export type SignInOutcome =
  | SessionOutcome
  | Failed
  /** `error` is set if the server rejected a sign-in because the email is not verified (spec-map 8.1.16). */
  | { kind: 'needs-email-verification'; error?: AuthError }
  | { kind: 'needs-sms-otp' }
  | { kind: 'needs-email-otp' }
  | NeedsMfa;

export function failed(error: AuthError): Failed {
  return { kind: 'failed', error };
}

/** An exception is a bug. It becomes a failure with status 1, so that no state waits forever (spec-map 8.1.14). */
export async function catchFailure<Outcome>(
  effect: () => Promise<Outcome>,
): Promise<Outcome | Failed> {
  try {
    return await effect();
  } catch (cause) {
    const { name, message } = cause instanceof Error ? cause : new Error(String(cause));
    return failed({ status: 1, error: name, message });
  }
}

/** Network errors and status 500 or above (spec-map 4.1.3). */
export function isRetryable({ status }: AuthError): boolean {
  return status === 0 || status >= 500;
}

/** The server no longer accepts the session. */
export function isTokenRejected({ status }: AuthError): boolean {
  return status === 401;
}
