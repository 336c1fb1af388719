import type { AuthError } from '@longshore/contract';
import { type ClientSession, receivedAt } from '../client-session.ts';
import { isRegistration, type SignInAttempt } from '../sign-in-attempt.ts';
import type { AuthContext } from './auth-model.ts';
import {
  type ImportOutcome,
  isRetryable,
  type RefreshOutcome,
  type SignInOutcome,
  type SignOutOutcome,
} from './outcome.ts';

/** The context changes for the outcome of an effect. */
export function contextAfter(
  outcome: ImportOutcome | SignInOutcome | SignOutOutcome,
  attempt?: SignInAttempt,
): Partial<AuthContext> {
  const cleared = {
    error: undefined,
    refreshError: undefined,
    attempt: undefined,
    signOutRequest: undefined,
  };
  switch (outcome.kind) {
    case 'session':
      return { ...cleared, ...contextWithSession(outcome.session) };
    case 'failed':
      return { ...cleared, error: outcome.error, ...afterFailedAttempt(outcome.error, attempt) };
    case 'needs-mfa':
      return { ...cleared, mfaTicket: outcome.ticket };
    case 'needs-email-verification':
      return { ...cleared, error: outcome.error };
    case 'needs-sms-otp':
    case 'needs-email-otp':
    case 'none':
    case 'signed-out':
      return cleared;
  }
}

export function contextWithSession(session: ClientSession): Partial<AuthContext> {
  return {
    session,
    refreshTimer: { startedAt: receivedAt(session), attempts: 0, lastAttemptAt: 0 },
    importTokenAttempts: 0,
    mfaTicket: undefined,
    error: undefined,
    refreshError: undefined,
    registrationError: undefined,
  };
}

/** Stores the error of a failed refresh, whether or not the session ends. */
export function afterRefresh(outcome: RefreshOutcome): Partial<AuthContext> {
  return { refreshError: outcome.kind === 'failed' ? outcome.error : undefined };
}

/** A second factor needs the ticket of the first step; every other attempt drops it. */
export function contextForAttempt(
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

/** A response uses up the MFA ticket; a network failure does not. */
function afterFailedAttempt(
  error: AuthError,
  attempt: SignInAttempt | undefined,
): Partial<AuthContext> {
  if (attempt === undefined) return {};
  return {
    ...(isRetryable(error) ? {} : { mfaTicket: undefined }),
    ...(isRegistration(attempt) ? { registrationError: error } : {}),
  };
}
