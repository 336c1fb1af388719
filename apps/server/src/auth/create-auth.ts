import { availableParallelism } from 'node:os';
import type { Hono } from 'hono';
import type { Database } from '../db/database.ts';
import type { Mailer, Texter } from '../mail/mailer.ts';
import { createSeal } from '../secrets/seal.ts';
import { createAccessTokens } from './access-token.ts';
import { type Audit, createAudit } from './audit.ts';
import { createBackground } from './background.ts';
import { withQueueLimit } from './bounded-passwords.ts';
import { type Caller, callerOf } from './caller.ts';
import { createExchangeCodes } from './code-exchange/exchange-codes.ts';
import type { AuthSettings } from './deps.ts';
import { createFirstAccountSetup, type FirstAccount } from './first-account/first-account.ts';
import { isSignedIn, type SessionOfToken } from './is-signed-in.ts';
import { loadAuthKeys } from './keys/keys.ts';
import { createOneTimeCodes } from './one-time-codes.ts';
import { createPasswords } from './passwords.ts';
import { createPersonalAccessTokens } from './pat/personal-access-tokens.ts';
import { createProviders } from './providers/create-providers.ts';
import { createProviderSessions } from './providers/provider-sessions.ts';
import { createRefreshTokens } from './refresh-tokens/refresh-tokens.ts';
import { removeExpired } from './remove-expired.ts';
import { createAuthService } from './service.ts';
import { createSessions } from './sessions.ts';
import { createTickets } from './tickets.ts';
import { createUsers } from './users.ts';

export type AuthOptions = {
  db: Database;
  keysFolder: string;
  /** Stands in every token; tokens of another issuer are refused. */
  issuer: string;
  accessTokenTtlSeconds: number;
  settings: AuthSettings;
  /** Whether others can reach the console, and so could come first. */
  isExposed: boolean;
  randomBytes: (count: number) => Uint8Array;
  mailer: Mailer;
  texter: Texter;
  version: string;
  clock: { now(): number };
  fetch: typeof fetch;
  logError: (error: unknown) => void;
};

export type Auth = Pick<FirstAccount, 'setupCode' | 'needsSetupCode'> & {
  service: Hono;
  /** Who speaks, by the Authorization header. */
  callerOf(authorization: string | undefined): Promise<Caller>;
  /** The same, for services that serve nobody else. */
  sessionOf(request: Request): Promise<{ userId: string; expiresAt: Date } | undefined>;
  /** Whether the session a token was issued for goes on; the token alone would say so until it ends. */
  isSignedIn(session: SessionOfToken): Promise<boolean>;
  /** Writes down what matters to somebody's security, for the other services too. */
  audit: Audit;
  /** What is to be done once a day: rotate old keys, forget what is over. */
  tidy(): Promise<void>;
  /** Waits for mails on their way. */
  stop(): Promise<void>;
};

/** Each takes 19 MiB; `scripts/start.mjs` makes threads for as many. */
const MAX_PASSWORDS_AT_ONCE = 8;

/** The auth service with its parts. */
export async function createAuth(options: AuthOptions): Promise<Auth> {
  const keys = await loadAuthKeys({ folder: options.keysFolder, clock: options.clock });
  const accessTokens = createAccessTokens({
    keys,
    issuer: options.issuer,
    ttlSeconds: options.accessTokenTtlSeconds,
    clock: options.clock,
  });
  const { signUpPolicy, ...firstAccount } = await createFirstAccountSetup(options);
  const seal = await createSeal(options.keysFolder);
  const refreshTokens = createRefreshTokens(options.db, keys.refreshKey);
  const background = createBackground(options);
  const audit = createAudit(options.db);
  const service = createAuthService({
    ...options,
    keys,
    accessTokens,
    refreshTokens,
    tickets: createTickets(options.db),
    exchangeCodes: createExchangeCodes(options.db),
    oneTimeCodes: createOneTimeCodes(options.db, keys.refreshKey),
    personalAccessTokens: createPersonalAccessTokens(options),
    seal,
    providers: createProviders(options.settings.providers, options),
    providerSessions: createProviderSessions(options.db, seal),
    audit,
    background,
    sessions: createSessions({ accessTokens, refreshTokens }),
    signUpPolicy,
    users: createUsers(options.db, signUpPolicy),
    passwords: withQueueLimit(createPasswords({ atOnce: passwordsAtOnce() })),
  });
  return {
    ...firstAccount,
    service,
    audit,
    callerOf: (authorization) => callerOf(authorization, accessTokens),
    async sessionOf({ headers }) {
      const caller = await callerOf(headers.get('authorization') ?? undefined, accessTokens);
      if (caller.kind !== 'identified') return undefined;
      const { userId, expiresAt } = caller.identified;
      return { userId, expiresAt: new Date(expiresAt) };
    },
    isSignedIn: (session) => isSignedIn(session, options.db),
    async tidy() {
      await keys.rotateIfDue();
      await removeExpired(options.db);
    },
    stop: background.stop,
  };
}

function passwordsAtOnce(): number {
  return Math.min(availableParallelism(), MAX_PASSWORDS_AT_ONCE);
}
