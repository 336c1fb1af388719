import type { Database } from '../db/database.ts';
import type { Mailer, SmsSender } from '../mail/mailer.ts';
import type { OpenBuckets } from '../rate-limits/buckets.ts';
import type { Seal } from '../secrets/seal.ts';
import type { AccessTokens } from './access-token.ts';
import type { Audit } from './audit.ts';
import type { Background } from './background.ts';
import type { ExchangeCodes } from './code-exchange/exchange-codes.ts';
import type { AuthKeys } from './keys/keys.ts';
import type { RecoveryCodes } from './mfa/recovery-codes.ts';
import type { OneTimeCodes } from './one-time-codes.ts';
import type { Passwords } from './passwords.ts';
import type { PersonalAccessTokens } from './pat/personal-access-tokens.ts';
import type { Providers } from './providers/create-providers.ts';
import type { ProviderClients } from './providers/provider.ts';
import type { ProviderSessions } from './providers/provider-sessions.ts';
import type { RefreshTokens } from './refresh-tokens/refresh-tokens.ts';
import type { Sessions } from './sessions.ts';
import type { SignUpPolicy } from './sign-up/sign-up-policy.ts';
import type { Tickets } from './tickets.ts';
import type { Users } from './users.ts';

/** The operator's settings for sign-in. */
export type AuthSettings = {
  /** Links in mails and redirects are built from it, never from a request. */
  publicUrl: string;
  /** Further URLs that `redirectTo` may point to. */
  allowedRedirects: string[];
  /** Of pages besides the console that may use passkeys. */
  allowedOrigins: readonly string[];
  passwordMinLength: number;
  requireVerifiedEmail: boolean;
  anonymousSignIn: boolean;
  rateLimits: boolean;
  /** OAuth providers that users can sign in with. */
  providers: ProviderClients;
};

/** The dependencies of the auth endpoints. */
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
  recoveryCodes: RecoveryCodes;
  personalAccessTokens: PersonalAccessTokens;
  keys: AuthKeys;
  seal: Seal;
  providers: Providers;
  providerSessions: ProviderSessions;
  mailer: Mailer;
  smsSender: SmsSender;
  audit: Audit;
  background: Background;
  settings: AuthSettings;
  version: string;
  clock: { now(): number };
  openBuckets: OpenBuckets;
  /** For requests to OAuth providers. */
  fetch: typeof fetch;
  logError: (error: unknown) => void;
};
