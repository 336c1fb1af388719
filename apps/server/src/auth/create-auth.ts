import { availableParallelism } from 'node:os';
import type { Hono } from 'hono';
import type { Database } from '../db/database.ts';
import type { Mailer, SmsSender } from '../mail/mailer.ts';
import { createSeal } from '../secrets/seal.ts';
import { createAccessTokens } from './access-token.ts';
import { type Audit, createAudit } from './audit.ts';
import { createBackground } from './background.ts';
import { type BearerCheck, checkBearer } from './check-bearer.ts';
import { createExchangeCodes } from './code-exchange/exchange-codes.ts';
import type { AuthSettings } from './deps.ts';
import { createFirstAccountSetup, type FirstAccountSetup } from './first-account/first-account.ts';
import { isSignedIn, type TokenSession } from './is-signed-in.ts';
import { loadAuthKeys } from './keys/keys.ts';
import { createRecoveryCodes } from './mfa/recovery-codes.ts';
import { createOneTimeCodes } from './one-time-codes.ts';
import { createPasswords, withQueueLimit } from './passwords.ts';
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
  /** The `iss` claim of every token; tokens of other issuers are refused. */
  issuer: string;
  accessTokenTtlSeconds: number;
  settings: AuthSettings;
  /** Whether the console is reachable from other machines. If so, the first account requires the setup code. */
  isExposed: boolean;
  randomBytes: (count: number) => Uint8Array;
  mailer: Mailer;
  smsSender: SmsSender;
  version: string;
  clock: { now(): number };
  fetch: typeof fetch;
  logError: (error: unknown) => void;
};

export type Auth = Pick<FirstAccountSetup, 'setupCode' | 'needsSetupCode'> & {
  service: Hono;
  /** Checks the Authorization header of a request. */
  checkBearer(authorization: string | undefined): Promise<BearerCheck>;
  /** The session of a request, for services that require one. */
  sessionOf(request: Request): Promise<{ userId: string; expiresAt: Date } | undefined>;
  /** Whether the session of an access token still exists. The token itself stays valid until it expires. */
  isSignedIn(session: TokenSession): Promise<boolean>;
  /** Records security events, also those of the other services. */
  audit: Audit;
  /** Daily maintenance: rotates signing keys and removes expired rows. */
  maintain(): Promise<void>;
  /** Waits for mails that are being sent. */
  stop(): Promise<void>;
};

/** Each hash takes 19 MiB. `scripts/start.mjs` sizes the thread pool for this number. */
const MAX_CONCURRENT_HASHES = 8;

/** Creates the auth service and wires its parts. */
export async function createAuth(options: AuthOptions): Promise<Auth> {
  const keys = await loadAuthKeys({ folder: options.keysFolder, clock: options.clock });
  const accessTokens = createAccessTokens({
    keys,
    issuer: options.issuer,
    ttlSeconds: options.accessTokenTtlSeconds,
    clock: options.clock,
  });
  const { signUpPolicy, setupCode, needsSetupCode } = await createFirstAccountSetup(options);
  const seal = await createSeal(options.keysFolder);
  const refreshTokens = createRefreshTokens(options.db, keys.refreshKey);
  const background = createBackground(options);
  const audit = createAudit(options.db);
  const service = createAuthService({
    db: options.db,
    settings: options.settings,
    mailer: options.mailer,
    smsSender: options.smsSender,
    version: options.version,
    clock: options.clock,
    fetch: options.fetch,
    logError: options.logError,
    keys,
    accessTokens,
    refreshTokens,
    tickets: createTickets(options.db),
    exchangeCodes: createExchangeCodes(options.db),
    oneTimeCodes: createOneTimeCodes(options.db, keys.refreshKey),
    recoveryCodes: createRecoveryCodes(keys.refreshKey, options.randomBytes),
    personalAccessTokens: createPersonalAccessTokens(options),
    seal,
    providers: createProviders(options.settings.providers, options),
    providerSessions: createProviderSessions(options.db, seal),
    audit,
    background,
    sessions: createSessions({ accessTokens, refreshTokens }),
    signUpPolicy,
    users: createUsers(options.db, signUpPolicy),
    passwords: withQueueLimit(createPasswords({ maxConcurrent: maxConcurrentHashes() })),
  });
  return {
    setupCode,
    needsSetupCode,
    service,
    audit,
    checkBearer: (authorization) => checkBearer(authorization, accessTokens),
    async sessionOf({ headers }) {
      const caller = await checkBearer(headers.get('authorization') ?? undefined, accessTokens);
      if (caller.kind !== 'identified') return undefined;
      const { userId, expiresAt } = caller.identified;
      return { userId, expiresAt: new Date(expiresAt) };
    },
    isSignedIn: (session) => isSignedIn(session, options.db),
    async maintain() {
      await keys.rotateIfDue();
      await removeExpired(options.db);
    },
    stop: background.stop,
  };
}

function maxConcurrentHashes(): number {
  return Math.min(availableParallelism(), MAX_CONCURRENT_HASHES);
}
