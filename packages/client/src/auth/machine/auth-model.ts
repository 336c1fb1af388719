import type { AuthError, User } from '@longshore/contract';
import type { HeldSession } from '../held-session.ts';
import type { SignInAttempt } from '../sign-in-attempt.ts';
import type { ImportOutcome, RefreshOutcome, SignInOutcome, SignOutOutcome } from './outcome.ts';
import type { RefreshTimer } from './refresh-due.ts';

/** What the machine asks of the world. Expected failures are returned; a throw is a fault of ours. */
export type AuthEffects = {
  importSession(signal: AbortSignal): Promise<ImportOutcome>;
  authenticate(attempt: SignInAttempt, signal: AbortSignal): Promise<SignInOutcome>;
  deanonymize(request: DeanonymizeRequest, signal: AbortSignal): Promise<SignInOutcome>;
  refresh(request: RefreshRequest, signal: AbortSignal): Promise<RefreshOutcome>;
  signOut(request: SignOutRequest, signal: AbortSignal): Promise<SignOutOutcome>;
};

export type DeanonymizeRequest = { attempt: SignInAttempt; session: HeldSession };
/** `given` is the refresh token that another tab wants tried. */
export type RefreshRequest = { session: HeldSession | undefined; given: string | undefined };
export type SignOutRequest = { session: HeldSession; all: boolean };

export type AuthContext = {
  session: HeldSession | undefined;
  refreshTimer: RefreshTimer;
  importTokenAttempts: number;
  mfaTicket: string | undefined;
  error: AuthError | undefined;
  /** Why the last refresh failed; the session may live on. */
  refreshError: AuthError | undefined;
  /** The part of `error` that spec §4 keeps for the registration. */
  registrationError: AuthError | undefined;
  /** The request in flight, for the state that makes it. */
  attempt: SignInAttempt | undefined;
  signOutRequest: SignOutRequest | undefined;
  givenToken: string | undefined;
};

export type AuthEvent =
  | { type: 'SIGN_IN'; attempt: SignInAttempt }
  | { type: 'SIGN_OUT'; all: boolean }
  | { type: 'REFRESH' }
  | { type: 'SESSION_FROM_TAB'; session: HeldSession }
  | { type: 'USER_TOLD'; user: User }
  | { type: 'SIGN_OUT_FROM_TAB' }
  | { type: 'TRY_TOKEN'; refreshToken: string };

export function startingContext(): AuthContext {
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
    givenToken: undefined,
  };
}

/** What leaving takes along. */
export function forgotten() {
  return {
    session: undefined,
    error: undefined,
    refreshError: undefined,
    registrationError: undefined,
    attempt: undefined,
  };
}

/** The session that every state of `signedIn` has. */
export function held(context: AuthContext): HeldSession {
  return present(context.session);
}

export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The state has lost what it was entered with');
  return value;
}
