import type { AuthError } from '@longshore/contract';
import type { AuthContext } from './auth-model.ts';
import type { HeldSession } from './held-session.ts';
import {
  type ImportOutcome,
  isWorthRetrying,
  type SignInOutcome,
  type SignOutOutcome,
} from './outcome.ts';
import { isRegistration, type SignInAttempt } from './sign-in-attempt.ts';

/** What is remembered of an effect's outcome. */
export function contextAfter(
  outcome: ImportOutcome | SignInOutcome | SignOutOutcome,
  now: number,
  attempt?: SignInAttempt,
): Partial<AuthContext> {
  const forgotten = { error: undefined, attempt: undefined, signOutRequest: undefined };
  switch (outcome.kind) {
    case 'session':
      return { ...forgotten, ...contextWith(outcome.session, now) };
    case 'failed':
      return { ...forgotten, error: outcome.error, ...afterFailedAttempt(outcome.error, attempt) };
    case 'needs-mfa':
      return { ...forgotten, mfaTicket: outcome.ticket };
    case 'needs-email-verification':
    case 'needs-otp':
    case 'none':
    case 'signed-out':
      return forgotten;
  }
}

export function contextWith(session: HeldSession, now: number): Partial<AuthContext> {
  return {
    session,
    refreshTimer: { startedAt: now, attempts: 0, lastAttemptAt: 0 },
    importTokenAttempts: 0,
    mfaTicket: undefined,
    error: undefined,
    registrationError: undefined,
  };
}

/** The ticket of a second factor is spent by an answer, not by a line that was cut. */
function afterFailedAttempt(
  error: AuthError,
  attempt: SignInAttempt | undefined,
): Partial<AuthContext> {
  if (attempt === undefined) return {};
  return {
    ...(isWorthRetrying(error) ? {} : { mfaTicket: undefined }),
    ...(isRegistration(attempt) ? { registrationError: error } : {}),
  };
}
