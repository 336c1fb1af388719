import type { Session } from '@longshore/contract';
import type { Context } from 'hono';
import { clientOf } from '../http/client.ts';
import type { AccessTokens } from './access-token.ts';
import type { IssuedRefreshToken, RefreshTokens } from './refresh-tokens/refresh-tokens.ts';
import { toUser, type UserRow } from './users.ts';

export type Sessions = {
  /** The context provides the address and user agent for the user's list of sessions. */
  open(user: UserRow, context: Context): Promise<Session>;
  /** The session of a refresh token that was just rotated. */
  continue(user: UserRow, refreshToken: IssuedRefreshToken): Promise<Session>;
};

type SessionDeps = { accessTokens: AccessTokens; refreshTokens: RefreshTokens };

export function createSessions({ accessTokens, refreshTokens }: SessionDeps): Sessions {
  return {
    open: async (user, context) =>
      sessionOf(user, await refreshTokens.issue(user.id, clientOf(context))),
    continue: sessionOf,
  };

  async function sessionOf(user: UserRow, refreshToken: IssuedRefreshToken): Promise<Session> {
    return {
      accessToken: accessTokens.sign(user, { sessionId: refreshToken.id }),
      accessTokenExpiresIn: accessTokens.ttlSeconds,
      refreshToken: refreshToken.token,
      refreshTokenId: refreshToken.id,
      user: toUser(user),
    };
  }
}
