import type { AuthError, Session, User } from '@longshore/contract';
import type { AuthState } from './auth-state.ts';
import type { Credentials, SignUpRequest } from './credentials.ts';
import type { Registration } from './registration.ts';
import type { SignInMethod } from './sign-in-attempt.ts';

/** How a sign-in or a sign-up ended. */
export type SignInResult =
  | { kind: 'signed-in' }
  /** With an error when a sign-in was refused for it. Spec §8. */
  | { kind: 'needs-email-verification'; error?: AuthError }
  | { kind: 'needs-otp' }
  | { kind: 'needs-mfa' }
  | { kind: 'failed'; error: AuthError };

export type RefreshResult = { ok: true } | { ok: false; error: AuthError };

/** The session is gone from this browser in either case. */
export type SignOutResult = { ok: true } | { ok: false; error: AuthError };

export type Auth = {
  /** The same object until something changes, so it can feed `useSyncExternalStore`. */
  state(): AuthState;
  subscribe(listener: () => void): () => void;
  /** Resolves once the state is no longer `loading`; rejects after 15 s. Spec §4, Readiness. */
  ready(): Promise<void>;
  signUp(request: SignUpRequest): Promise<SignInResult>;
  signIn(credentials: Credentials): Promise<SignInResult>;
  /** Signs in or up by any method; an anonymous user who registers so keeps what is theirs. Spec §4. */
  signInBy(method: SignInMethod): Promise<SignInResult>;
  registration(): Registration;
  signOut(options?: { all?: boolean }): Promise<SignOutResult>;
  /** Goes on with a session that another call has brought, as an elevation does. */
  adopt(session: Session): void;
  /** Holds what the server says of the person signed in, until a refresh tells it anew. */
  adoptUser(user: User): void;
  /** A token that is valid now, refreshed first when it has expired; nothing when there is none to have. */
  accessToken(): Promise<string | undefined>;
  /** Refreshes now, because the server refused the token. Answers like `accessToken`. */
  refresh(): Promise<string | undefined>;
  /**
   * Refreshes with the token given, or with the one there is, and says what went wrong. Whoever gives none
   * joins a refresh under way; a token given meanwhile is turned away. Spec §8.
   */
  refreshSession(refreshToken?: string): Promise<RefreshResult>;
};
