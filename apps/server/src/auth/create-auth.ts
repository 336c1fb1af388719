import { availableParallelism } from 'node:os';
import type { SignUpMode } from '@longshore/contract';
import type { Context, Hono } from 'hono';
import type { Change } from '../db/change.ts';
import type { Database } from '../db/database.ts';
import type { Mailer, SmsSender } from '../mail/mailer.ts';
import type { OpenBuckets } from '../rate-limits/buckets.ts';
import type { KeyStore } from '../secrets/key-store.ts';
import { createSeal } from '../secrets/seal.ts';
import { createAccessTokens } from './access-token.ts';
import { type Audit, createAudit } from './audit.ts';
import { createBackground } from './background.ts';
import { type BearerCheck, checkBearer } from './check-bearer.ts';
import { createExchangeCodes } from './code-exchange/exchange-codes.ts';
import { createSessions } from './create-sessions.ts';
import type { AuthSettings } from './deps.ts';
import { hasAccounts } from './first-account/accounts.ts';
import { createFirstAccountSetup, type FirstAccountSetup } from './first-account/first-account.ts';
import { isSignedIn, type TokenSession } from './is-signed-in.ts';
import { loadAuthKeys } from './keys/keys.ts';
import { createLiveSessions, forgettingRefreshTokens } from './live-sessions.ts';
import { createRecoveryCodes } from './mfa/recovery-codes.ts';
import { createOneTimeCodes } from './one-time-codes.ts';
import { createPasswords, type HashCost, withQueueLimit } from './passwords.ts';
import { openPatSession } from './pat/pat-endpoints.ts';
import { createPersonalAccessTokens } from './pat/personal-access-tokens.ts';
import { requireFreshProof } from './proof/require-fresh-proof.ts';
import { createProviders } from './providers/create-providers.ts';
import { createProviderSessions } from './providers/provider-sessions.ts';
import { createRefreshTokens } from './refresh-tokens/refresh-tokens.ts';
import { removeExpired } from './remove-expired.ts';
import { requireRegisteredUser } from './require-registered-user.ts';
import { createAuthService } from './service.ts';
import { createSignUpPolicy } from './sign-up/sign-up-policy.ts';
import type { SignUpRule } from './sign-up/sign-up-rule.ts';
import { createSignUpSettings, type SignUpSettings } from './sign-up/sign-up-settings.ts';
import { createTickets } from './tickets.ts';
import { createUsers, type UserRow } from './users.ts';

export type AuthOptions = {
  db: Database;
  keys: KeyStore;
  openBuckets: OpenBuckets;
  /** The `iss` claim of every token; tokens of other issuers are refused. */
  issuer: string;
  accessTokenTtlSeconds: number;
  settings: AuthSettings;
  /** Whether the console is reachable from other machines. If so, the first account requires the setup code. */
  isExposed: boolean;
  /** Set by the configuration. Undefined: operators choose it at run time. */
  signUp?: SignUpRule | undefined;
  /** Of hashing passwords. Default: the recommended one. */
  hashCost?: HashCost;
  randomBytes: (count: number) => Uint8Array;
  mailer: Mailer;
  smsSender: SmsSender;
  version: string;
  clock: { now(): number };
  fetch: typeof fetch;
  /** Reports the ends of sessions. */
  listen: (listener: (change: Change) => void) => () => void;
  logError: (error: unknown) => void;
};

export type ServiceSession = {
  userId: string;
  expiresAt: Date;
  /** Calls back when the session ends. Returns how to stop that. */
  onEnd(callback: () => void): () => void;
};

/** The session of a request that has an access token or a personal access token. */
export type TokenRequestSession = Pick<ServiceSession, 'userId' | 'onEnd'> & {
  sessionId: string | undefined;
  /** Called after the request: a session that was opened for it ends. */
  end(): Promise<void>;
};

export type Auth = Pick<FirstAccountSetup, 'setupCode' | 'needsSetupCode'> & {
  service: Hono;
  /** Checks the Authorization header of a request. Refuses tokens whose session is known to have ended. */
  checkBearer(authorization: string | undefined): Promise<BearerCheck>;
  /** The session of a request, for services that require one. Looked up in the database. */
  sessionOf(request: Request): Promise<ServiceSession | undefined>;
  /** The same. A personal access token instead of an access token opens a session for this request. */
  tokenSessionOf(context: Context): Promise<TokenRequestSession | undefined>;
  /** Whether the session of an access token still exists. The token itself stays valid until it expires. */
  isSignedIn(session: TokenSession): Promise<boolean>;
  /** Looks the sessions of a user up again before they are used. */
  forgetSessions(userId: string): void;
  /** The registered user of a request. Throws an `AuthProblem` for all other callers. */
  currentUser(context: Context): Promise<UserRow>;
  /** The same. Throws also if the user has not proved their identity recently in this session. */
  provedUser(context: Context): Promise<UserRow>;
  signUpSettings: SignUpSettings;
  /** Who may sign up now, for visitors. The first account is always possible. */
  signUpMode(): Promise<SignUpMode>;
  /** Records security events, also those of the other services. */
  audit: Audit;
  /** Daily: creates a new signing key if it is due, or uses the one that another server created. */
  rotateKeys(): Promise<void>;
  /** Daily, on one server. */
  removeExpired(): Promise<void>;
  /** Waits for mails that are being sent. */
  stop(): Promise<void>;
};

/** Personal access tokens are UUIDs. */
const PAT_HEADER = /^Bearer ([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/i;

/** Each hash takes 19 MiB. `scripts/start.mjs` sizes the thread pool for this number. */
const MAX_CONCURRENT_HASHES = 8;

/** Creates the auth service and wires its parts. */
export async function createAuth(options: AuthOptions): Promise<Auth> {
  const keys = await loadAuthKeys({ store: options.keys, clock: options.clock });
  const accessTokens = createAccessTokens({
    keys,
    issuer: options.issuer,
    ttlSeconds: options.accessTokenTtlSeconds,
    clock: options.clock,
  });
  const { setupCode, needsSetupCode } = await createFirstAccountSetup(options);
  const signUpSettings = createSignUpSettings(options.signUp);
  const signUpPolicy = createSignUpPolicy({ setupCode, settings: signUpSettings });
  const seal = await createSeal(options.keys);
  const isInDatabase = (session: TokenSession) => isSignedIn(session, options.db);
  const { listen, logError } = options;
  const liveSessions = createLiveSessions({ isSignedIn: isInDatabase, listen, logError });
  const refreshTokens = forgettingRefreshTokens(
    createRefreshTokens(options.db, keys.refreshKey),
    liveSessions,
  );
  const background = createBackground(options);
  const audit = createAudit(options.db, options.openBuckets);
  const tickets = createTickets(options.db);
  const users = createUsers(options.db, signUpPolicy);
  const providerSessions = createProviderSessions(options.db, seal);
  const personalAccessTokens = createPersonalAccessTokens(options);
  const sessions = createSessions({
    db: options.db,
    accessTokens,
    refreshTokens,
    tickets,
    users,
    providerSessions,
    settings: options.settings,
    audit,
    mailer: options.mailer,
    background,
    clock: options.clock,
  });
  const service = createAuthService({
    db: options.db,
    settings: options.settings,
    mailer: options.mailer,
    smsSender: options.smsSender,
    version: options.version,
    clock: options.clock,
    openBuckets: options.openBuckets,
    fetch: options.fetch,
    logError: options.logError,
    keys,
    accessTokens,
    refreshTokens,
    tickets,
    exchangeCodes: createExchangeCodes(options.db),
    oneTimeCodes: createOneTimeCodes(options.db, keys.refreshKey),
    recoveryCodes: createRecoveryCodes(keys.refreshKey, options.randomBytes),
    personalAccessTokens,
    seal,
    providers: createProviders(options.settings.providers, options),
    providerSessions,
    audit,
    background,
    sessions,
    signUpPolicy,
    users,
    passwords: withQueueLimit(
      createPasswords({ maxConcurrent: maxConcurrentHashes(), cost: options.hashCost }),
    ),
  });
  const { settings, clock } = options;
  const callerDeps = { accessTokens, users, settings, clock };
  const patDeps = { personalAccessTokens, users, sessions, refreshTokens, audit };

  async function sessionOf({ headers }: Request) {
    const caller = await checkBearer(headers.get('authorization') ?? undefined, accessTokens);
    if (caller.kind !== 'identified') return undefined;
    const { identified } = caller;
    if (!(await isInDatabase(identified))) return undefined;
    const { userId, sessionId, expiresAt } = identified;
    return {
      userId,
      sessionId,
      expiresAt: new Date(expiresAt),
      onEnd: (callback: () => void) => liveSessions.onEnd(identified, callback),
    };
  }

  return {
    setupCode,
    needsSetupCode,
    service,
    currentUser: async (context) => (await requireRegisteredUser(context, callerDeps)).user,
    provedUser: async (context) => (await requireFreshProof(context, callerDeps)).user,
    signUpSettings,
    signUpMode: async () =>
      (await hasAccounts(options.db)) ? (await signUpSettings.current(options.db)).mode : 'open',
    audit,
    async checkBearer(authorization) {
      const caller = await checkBearer(authorization, accessTokens);
      if (caller.kind !== 'identified' || (await liveSessions.has(caller.identified)))
        return caller;
      return { kind: 'refused', why: 'ended' };
    },
    sessionOf,
    async tokenSessionOf(context) {
      const token = PAT_HEADER.exec(context.req.header('authorization') ?? '')?.[1];
      if (token === undefined) {
        const session = await sessionOf(context.req.raw);
        return session && { ...session, end: async () => {} };
      }
      const opened = await openPatSession(context, token, patDeps);
      if (opened?.kind !== 'session') return undefined;
      const { user, refreshTokenId: sessionId } = opened.session;
      const session = { userId: user.id, sessionId };
      return {
        ...session,
        onEnd: (callback) => liveSessions.onEnd(session, callback),
        end: async () => void (await refreshTokens.revokeSession(user.id, sessionId)),
      };
    },
    isSignedIn: isInDatabase,
    forgetSessions: (userId) => liveSessions.forget({ userId }),
    rotateKeys: keys.rotateIfDue,
    removeExpired: () => removeExpired(options.db),
    stop: background.stop,
  };
}

function maxConcurrentHashes(): number {
  return Math.min(availableParallelism(), MAX_CONCURRENT_HASHES);
}
