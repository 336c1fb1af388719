import type { AuthError, User } from '@longshore/contract';

/** What the rest of the world needs to know of the session. */
export type AuthState =
  | { kind: 'loading' }
  | { kind: 'signed-out'; needsEmailVerification: boolean; error?: AuthError }
  | { kind: 'signed-in'; user: User; accessToken: string };
