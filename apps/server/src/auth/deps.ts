import type { Database } from '../db/database.ts';
import type { Mailer, Texter } from '../mail/mailer.ts';
import type { Seal } from '../secrets/seal.ts';
import type { AccessTokens } from './access-token.ts';
import type { Audit } from './audit.ts';
import type { Background } from './background.ts';
import type { ExchangeCodes } from './code-exchange/exchange-codes.ts';
import type { SignUpPolicy } from './first-account/sign-up-policy.ts';
import type { AuthKeys } from './keys/keys.ts';
import type { OneTimeCodes } from './one-time-codes.ts';
import type { Passwords } from './passwords.ts';
import type { PersonalAccessTokens } from './pat/personal-access-tokens.ts';
import type { Providers } from './providers/create-providers.ts';
import type { ProviderClients } from './providers/provider.ts';
import type { ProviderSessions } from './providers/provider-sessions.ts';
import type { RefreshTokens } from './refresh-tokens/refresh-tokens.ts';
import type { Sessions } from './sessions.ts';
import type { Tickets } from './tickets.ts';
import type { Users } from './users.ts';

/** What the operator decided about signing in. */
export type AuthSettings = {
  /** Every link in a mail and every redirect is built from it, never from a request. */
  publicUrl: string;
  /** Further addresses that `redirectTo` may lead to. */
  allowedRedirects: string[];
  passwordMinLength: number;
  requireVerifiedEmail: boolean;
  anonymousSignIn: boolean;
  /** Whether those who ask too often are refused. */
  rateLimits: boolean;
  /** Who may vouch for a person. */
  providers: ProviderClients;
};

/** What the endpoints of the auth service work with. */
export type AuthDeps = {
  db: Database;
  users: Users;
  signUpPolicy: SignUpPolicy;
  passwords: Passwords;
  sessions: Sessions;
  accessTokens: AccessTokens;
  refreshTokens: RefreshTokens;
  tickets: Tickets;
  exchangeCodes: ExchangeCodes;
  oneTimeCodes: OneTimeCodes;
  personalAccessTokens: PersonalAccessTokens;
  keys: AuthKeys;
  seal: Seal;
  providers: Providers;
  providerSessions: ProviderSessions;
  mailer: Mailer;
  texter: Texter;
  audit: Audit;
  background: Background;
  settings: AuthSettings;
  version: string;
  clock: { now(): number };
  /** For calls to outside services; every call has a deadline. */
  fetch: typeof fetch;
  logError: (error: unknown) => void;
};
