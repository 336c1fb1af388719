import type { AuthError, User } from '@longshore/contract';
import type { ClientSession } from '../client-session.ts';
import type { SignInAttempt } from '../sign-in-attempt.ts';
import type { ImportOutcome, RefreshOutcome, SignInOutcome, SignOutOutcome } from './outcome.ts';
import type { RefreshTimer } from './refresh-due.ts';

/** The side effects of the machine. Expected failures are returned; an exception is a bug. */
export type AuthEffects = {
  importSession(signal: AbortSignal): Promise<ImportOutcome>;
  authenticate(attempt: SignInAttempt, signal: AbortSignal): Promise<SignInOutcome>;
  deanonymize(request: DeanonymizeRequest, signal: AbortSignal): Promise<SignInOutcome>;
  refresh(request: RefreshRequest, signal: AbortSignal): Promise<RefreshOutcome>;
  signOut(request: SignOutRequest, signal: AbortSignal): Promise<SignOutOutcome>;
};

export type DeanonymizeRequest = { attempt: SignInAttempt; session: ClientSession };
/** `offeredToken` is a refresh token from another tab. */
export type RefreshRequest = {
  session: ClientSession | undefined;
  offeredToken: string | undefined;
};
export type SignOutRequest = { session: ClientSession; all: boolean };

export type AuthContext = {
  session: ClientSession | undefined;
  refreshTimer: RefreshTimer;
  importTokenAttempts: number;
  mfaTicket: string | undefined;
  error: AuthError | undefined;
  /** Why the last refresh failed; the session may still be valid. */
  refreshError: AuthError | undefined;
  /** The error of the last registration attempt (spec-map 4.1.25). */
  registrationError: AuthError | undefined;
  /** The request in flight, read by the state that sends it. */
  attempt: SignInAttempt | undefined;
  signOutRequest: SignOutRequest | undefined;
  offeredToken: string | undefined;
};

export type AuthEvent =
  | { type: 'SIGN_IN'; attempt: SignInAttempt }
  | { type: 'SIGN_OUT'; all: boolean }
  | { type: 'REFRESH' }
  | { type: 'SESSION_FROM_TAB'; session: ClientSession }
  | { type: 'USER_UPDATED'; user: User }
  | { type: 'SIGN_OUT_FROM_TAB' }
  | { type: 'TRY_TOKEN'; refreshToken: string };

export function initialContext(): AuthContext {
  return {
    session: undefined,
    refreshTimer: { startedAt: 0, attempts: 0, lastAttemptAt: 0 },
    importTokenAttempts: 0,
    mfaTicket: undefined,
    error: undefined,
    refreshError: undefined,
    registrationError: undefined,
    attempt: undefined,
    signOutRequest: undefined,
    offeredToken: undefined,
  };
}

/** The fields that signing out clears. */
export function clearedSession() {
  return {
    session: undefined,
    error: undefined,
    refreshError: undefined,
    registrationError: undefined,
    attempt: undefined,
  };
}

/** The session, which is set in every substate of `signedIn`. */
export function sessionOf(context: AuthContext): ClientSession {
  return requireValue(context.session);
}

export function requireValue<T>(value: T | undefined): T {
  if (value === undefined)
    throw new Error('A value that this state needs is missing from the context');
  return value;
}
