import type { AuthError, Session, User } from '@longshore/contract';
import type { Observable } from '../store.ts';
import type { AuthState } from './auth-state.ts';
import type { Registration } from './registration.ts';
import type { Credentials, SignInMethod, SignUpRequest } from './sign-in-attempt.ts';

/** The result of a sign-in or sign-up. */
export type SignInResult =
  | { kind: 'signed-in' }
  /** `error` is set if the server rejected a sign-in because the email is not verified (spec-map 8.1.16). */
  | { kind: 'needs-email-verification'; error?: AuthError }
  | { kind: 'needs-otp' }
  | { kind: 'needs-mfa' }
  | { kind: 'failed'; error: AuthError };

export type RefreshResult = { ok: true } | { ok: false; error: AuthError };

/** The session is removed from this browser even if the request fails. */
export type SignOutResult = { ok: true } | { ok: false; error: AuthError };

/** `state()` returns the same object until something changes. */
export type Auth = Observable<AuthState> & {
  /** Resolves when the state is no longer `loading`; rejects after 15 s (spec-map 4.1.40). */
  ready(): Promise<void>;
  signUp(request: SignUpRequest): Promise<SignInResult>;
  signIn(credentials: Credentials): Promise<SignInResult>;
  /** Signs in or up by any method. An anonymous user who registers keeps their id and data (spec-map 6.4). */
  signInBy(method: SignInMethod): Promise<SignInResult>;
  registration(): Registration;
  signOut(options?: { all?: boolean }): Promise<SignOutResult>;
  /** Uses a session that another request returned, for example an elevation. */
  adoptSession(session: Session): void;
  /** Replaces the signed-in user's data until the next refresh. */
  updateUser(user: User): void;
  /** A valid access token, refreshed first if it has expired; undefined when signed out. */
  accessToken(): Promise<string | undefined>;
  /** Refreshes now because the server rejected the token. Returns the same as `accessToken`. */
  refresh(): Promise<string | undefined>;
  /**
   * Refreshes with the token passed, or with the current one, and returns the error if it fails. Without a token it joins
   * a refresh that is already running; with a token it then fails with `refresher-already-running`.
   */
  refreshSession(refreshToken?: string): Promise<RefreshResult>;
};
