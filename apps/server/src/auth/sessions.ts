import type { Session } from '@longshore/contract';
import type { Context } from 'hono';
import type { AuthEvent } from './audit.ts';
import type { IssuedRefreshToken } from './refresh-tokens/refresh-tokens.ts';
import type { SignInEffects } from './sign-in-effects.ts';
import type { SignInWay } from './sign-in-ways.ts';
import type { UserRow } from './users.ts';

export type SignIn = {
  user: UserRow;
  way: SignInWay;
  /** What the user has just proved. Default: nothing that changes the account. */
  effects?: SignInEffects;
  /** Recorded when the session opens. */
  event?: Pick<AuthEvent, 'kind' | 'details'> | undefined;
};

/** The account has a second factor. The ticket and a code of it open the session. */
export type MfaStep = { kind: 'mfa'; ticket: string };

export type Sessions = {
  /**
   * The only way to open a session. Refuses users who may not sign in, and asks for the second factor if the account has
   * one and the way does not prove it (decision 71).
   */
  open(context: Context, signIn: SignIn): Promise<{ kind: 'session'; session: Session } | MfaStep>;
  /** The first half of `open`, for redirects that carry a code instead of a session. */
  admit(context: Context, signIn: SignIn): Promise<{ kind: 'admitted'; user: UserRow } | MfaStep>;
  /** The session of a refresh token that was just rotated. */
  continue(user: UserRow, refreshToken: IssuedRefreshToken): Session;
};

/** The response of every sign-in that is not a redirect (spec-map 7.2.26). */
export function signInResponse(
  context: Context,
  opened: Awaited<ReturnType<Sessions['open']>>,
): Response {
  return context.json(
    opened.kind === 'mfa' ? { mfa: { ticket: opened.ticket } } : { session: opened.session },
  );
}
