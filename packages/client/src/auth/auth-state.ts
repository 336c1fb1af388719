import type { AuthError, User } from '@longshore/contract';
import type { AuthSnapshot } from './machine/auth-actor.ts';

/** The public view of the session. */
export type AuthState =
  | { kind: 'loading' }
  | { kind: 'signed-out'; needsEmailVerification: boolean; needsMfa?: true; error?: AuthError }
  | { kind: 'signed-in'; user: User; accessToken: string };

/** A user who is signing in counts as signed out, so that the form stays on the screen. */
export function authStateOf(snapshot: AuthSnapshot): AuthState {
  const { session, error } = snapshot.context;
  if (snapshot.matches('starting')) return { kind: 'loading' };
  if (snapshot.matches('signedIn') && session !== undefined) {
    return { kind: 'signed-in', user: session.user, accessToken: session.accessToken };
  }
  return {
    kind: 'signed-out',
    needsEmailVerification: snapshot.matches({ signedOut: 'needsEmailVerification' }),
    ...(snapshot.matches({ signedOut: 'needsMfa' }) ? { needsMfa: true } : {}),
    ...(error === undefined ? {} : { error }),
  };
}

export function isSameState(one: AuthState, other: AuthState): boolean {
  if (one.kind === 'signed-in' && other.kind === 'signed-in') {
    return one.user === other.user && one.accessToken === other.accessToken;
  }
  if (one.kind === 'signed-out' && other.kind === 'signed-out') {
    return (
      one.error === other.error &&
      one.needsEmailVerification === other.needsEmailVerification &&
      one.needsMfa === other.needsMfa
    );
  }
  return one.kind === other.kind;
}
