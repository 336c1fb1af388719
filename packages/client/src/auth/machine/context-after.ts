import type { AuthError } from '@longshore/contract';
import { arrivedAt, type HeldSession } from '../held-session.ts';
import { isRegistration, type SignInAttempt } from '../sign-in-attempt.ts';
import type { AuthContext } from './auth-model.ts';
import {
  type ImportOutcome,
  isWorthRetrying,
  type RefreshOutcome,
  type SignInOutcome,
  type SignOutOutcome,
} from './outcome.ts';

/** What is remembered of an effect's outcome. */
export function contextAfter(
  outcome: ImportOutcome | SignInOutcome | SignOutOutcome,
  attempt?: SignInAttempt,
): Partial<AuthContext> {
  const forgotten = {
    error: undefined,
    refreshError: undefined,
    attempt: undefined,
    signOutRequest: undefined,
  };
  switch (outcome.kind) {
    case 'session':
      return { ...forgotten, ...contextWith(outcome.session) };
    case 'failed':
      return { ...forgotten, error: outcome.error, ...afterFailedAttempt(outcome.error, attempt) };
    case 'needs-mfa':
      return { ...forgotten, mfaTicket: outcome.ticket };
    case 'needs-email-verification':
      return { ...forgotten, error: outcome.error };
    case 'needs-sms-otp':
    case 'needs-email-otp':
    case 'none':
    case 'signed-out':
      return forgotten;
  }
}

export function contextWith(session: HeldSession): Partial<AuthContext> {
  return {
    session,
    refreshTimer: { startedAt: arrivedAt(session), attempts: 0, lastAttemptAt: 0 },
    importTokenAttempts: 0,
    mfaTicket: undefined,
    error: undefined,
    refreshError: undefined,
    registrationError: undefined,
  };
}

/** A refresh that fails says so, whatever becomes of the session. */
export function afterRefresh(outcome: RefreshOutcome): Partial<AuthContext> {
  return { refreshError: outcome.kind === 'failed' ? outcome.error : undefined };
}

/** A second factor needs the ticket of the first; any other attempt starts afresh. */
export function beginning(
  attempt: SignInAttempt,
  mfaTicket: string | undefined,
): Partial<AuthContext> {
  const isSecondFactor = attempt.kind === 'mfa-totp';
  return {
    attempt:
      isSecondFactor && mfaTicket !== undefined ? { ticket: mfaTicket, ...attempt } : attempt,
    mfaTicket: isSecondFactor ? mfaTicket : undefined,
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
