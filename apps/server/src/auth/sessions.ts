import type { Session } from '@longshore/contract';
import type { AccessTokens } from './access-token.ts';
import type { IssuedRefreshToken, RefreshTokens } from './refresh-tokens/refresh-tokens.ts';
import { toUser, type UserRow } from './users.ts';

export type Sessions = {
  open(user: UserRow): Promise<Session>;
  /** The session that goes on under a refresh token just issued. */
  continue(user: UserRow, refreshToken: IssuedRefreshToken): Promise<Session>;
};

type SessionDeps = { accessTokens: AccessTokens; refreshTokens: RefreshTokens };

export function createSessions({ accessTokens, refreshTokens }: SessionDeps): Sessions {
  return {
    open: async (user) => sessionOf(user, await refreshTokens.issue(user.id)),
    continue: sessionOf,
  };

  async function sessionOf(user: UserRow, refreshToken: IssuedRefreshToken): Promise<Session> {
    return {
      accessToken: await accessTokens.sign(user, { sessionId: refreshToken.id }),
      accessTokenExpiresIn: accessTokens.ttlSeconds,
      refreshToken: refreshToken.token,
      refreshTokenId: refreshToken.id,
      user: toUser(user),
    };
  }
}
