import type {
  ActiveSession,
  PersonalAccessToken,
  SecurityEvent,
  SecurityKey,
  TotpSecret,
  User,
} from '@longshore/contract';
import type { Answer } from './answer.ts';

export type AccountAnswer<Value> = Answer<Value>;

type Done = Promise<AccountAnswer<undefined>>;

export type TokenWish = { name: string; expiresAt: Date };

/** What somebody does with their own account, signed in. */
export type AccountPort = {
  /** Asks anew; the state of `auth` follows. */
  currentUser(): Promise<AccountAnswer<User>>;
  listSecurityKeys(): Promise<AccountAnswer<SecurityKey[]>>;
  /** The browser asks for the key meanwhile. */
  addSecurityKey(nickname: string): Done;
  removeSecurityKey(id: string): Done;
  /** Counts for nothing until a code of it activates it. */
  generateTotp(): Promise<AccountAnswer<TotpSecret>>;
  activateTotp(code: string): Done;
  deactivateTotp(code: string): Done;
  listTokens(): Promise<AccountAnswer<PersonalAccessToken[]>>;
  /** Answers the token, which is told this once. */
  createToken(wish: TokenWish): Promise<AccountAnswer<string>>;
  revokeToken(id: string): Done;
  listSessions(): Promise<AccountAnswer<ActiveSession[]>>;
  revokeSession(id: string): Done;
  listSecurityEvents(): Promise<AccountAnswer<SecurityEvent[]>>;
};
