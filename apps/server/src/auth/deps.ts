import type { AccessTokens } from './access-token.ts';
import type { AuthKeys } from './keys.ts';
import type { Passwords } from './passwords.ts';
import type { RefreshTokens } from './refresh-tokens.ts';
import type { Sessions } from './sessions.ts';
import type { Users } from './users.ts';

/** What the endpoints of the auth service work with. */
export type AuthDeps = {
  users: Users;
  passwords: Passwords;
  sessions: Sessions;
  accessTokens: AccessTokens;
  refreshTokens: RefreshTokens;
  keys: AuthKeys;
  passwordMinLength: number;
  version: string;
};
