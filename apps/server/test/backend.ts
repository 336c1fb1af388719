import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Session } from '@longshore/contract';
import { type Clock, systemClock, trustedProxies } from '@longshore/edge-contract';
import { Hono } from 'hono';
import { expect } from 'vitest';
import {
  accountUsage,
  type BuildCounts,
  createOwnerLimits,
  usageForOperator,
} from '../src/apps/account-usage.ts';
import { createApps } from '../src/apps/apps.ts';
import type { DeployPolicy } from '../src/apps/deploy-permission.ts';
import { createOwnerQuotas } from '../src/apps/owner-quotas.ts';
import { NO_LIMITS, type Quota } from '../src/apps/quota.ts';
import { readQuotaOverride } from '../src/apps/quota-overrides.ts';
import { redeploy, redeployByHook } from '../src/apps/redeploy.ts';
import { createAuth } from '../src/auth/create-auth.ts';
import type { AuthSettings } from '../src/auth/deps.ts';
import { accountKind, hasSeveralUsers } from '../src/auth/first-account/accounts.ts';
import type { SignUpRule } from '../src/auth/sign-up/sign-up-rule.ts';
import { createKeyedMutex } from '../src/concurrency/keyed-semaphore.ts';
import { type ConnectOptions, createConnect } from '../src/connect/create-connect.ts';
import { listenToChanges } from '../src/db/changes.ts';
import { createDatabase, createPool, DATABASE_LIMITS, type Database } from '../src/db/database.ts';
import { createDatabaseMutex } from '../src/db/database-mutex.ts';
import { isAnswering } from '../src/db/is-answering.ts';
import type { ListeningDeps } from '../src/db/listening-connection.ts';
import { migrate } from '../src/db/migrate.ts';
import { installationId } from '../src/db/open-database.ts';
import { createDomainsService } from '../src/domains/service.ts';
import type { Engine } from '../src/engines/engine.ts';
import { createFunctions } from '../src/functions/service.ts';
import { createGraphql } from '../src/graphql/create-graphql.ts';
import { createApp } from '../src/http/app.ts';
import { createConnectionReader } from '../src/http/client.ts';
import { createCallerResolver } from '../src/http/resolve-caller.ts';
import { createIsolationService } from '../src/isolation/service.ts';
import { createLogFiles } from '../src/logs/log-files.ts';
import { createLogStore } from '../src/logs/log-store.ts';
import { createLogsService } from '../src/logs/service.ts';
import type { Mail, Mailer, SmsSender, TextMessage } from '../src/mail/mailer.ts';
import { systemHealth } from '../src/operator/health.ts';
import { createOperatorService } from '../src/operator/service.ts';
import { createGuardedFetch } from '../src/outbound/guarded-fetch.ts';
import { resolveHost } from '../src/outbound/resolve-host.ts';
import { createBuckets } from '../src/rate-limits/buckets.ts';
import { createTableBuckets } from '../src/rate-limits/table-buckets.ts';
import { openKeys } from '../src/secrets/open-keys.ts';
import { Secret } from '../src/secrets/secret.ts';
import { createStorage } from '../src/storage/create-storage.ts';
import { openS3Store, type S3Settings } from '../src/storage/s3-store.ts';
import { createObjectUploads } from '../src/uploads/object-uploads.ts';
import type { ReceiveLimits } from '../src/uploads/receive-archive.ts';
import { sampleArchive } from '../src/uploads/sample-app.ts';
import { createUploadsService } from '../src/uploads/service.ts';
import { openUploadStore } from '../src/uploads/upload-store.ts';
import { createUsageService } from '../src/usage/service.ts';
import { requestsTo } from './backend-requests.ts';
import { createTestDatabase, type TestDatabase } from './db/test-database.ts';
import { createTestDomains } from './domains.ts';
import { TIERS } from './tiers.ts';
import { APP_RULES } from './values.ts';

export type BackendOptions = {
  settings?: Partial<AuthSettings>;
  isExposed?: boolean;
  /** Default: operators choose it. */
  signUp?: SignUpRule;
  fetch?: typeof fetch;
  /** Replace the ones that only record messages. */
  mailer?: Mailer;
  /** Whether invitations are mailed. */
  hasMailServer?: boolean;
  smsSender?: SmsSender;
  files?: { maxFileBytes?: number; quotaBytes?: number };
  /** Replaces a fresh database of the test run. */
  database?: TestDatabase;
  /** Replaces the measurement of the engine. Default: none. */
  usedBytes?: Engine['usedBytes'];
  /** Default: no limits. */
  quota?: Partial<Quota>;
  /** Of uploaded source code. */
  uploads?: Partial<ReceiveLimits>;
  databaseLimits?: ListeningDeps['limits'];
  functions?: { timeoutMs?: number; memoryMb?: number; clock?: Clock };
  clock?: Clock;
  connect?: Partial<ConnectOptions['settings']>;
  /** Replaces the DNS resolution of this machine. */
  resolve?: typeof resolveHost;
  deployPolicy?: Partial<DeployPolicy>;
  trustedProxies?: string[];
  /** State that several servers share, on one `database`. Default: local. */
  masterKey?: Secret;
  /** Default: files and uploads are in the folder of the backend. */
  s3?: S3Settings;
};

const CONNECT_SETTINGS: ConnectOptions['settings'] = {
  publicUrl: 'http://localhost:1337',
  rateLimits: false,
  allowLocalSources: false,
  gitHosts: { github: 'https://github.com', gitlab: 'https://gitlab.com' },
  dockerHubUrl: 'https://registry-1.docker.io',
  oauthClients: {},
};

const DEFAULT_SETTINGS: AuthSettings = {
  publicUrl: 'http://localhost:1337',
  allowedRedirects: [],
  allowedOrigins: [],
  passwordMinLength: 3,
  requireVerifiedEmail: false,
  anonymousSignIn: true,
  rateLimits: false,
  providers: {},
};

const NO_BUILDS: BuildCounts = { running: 0, waiting: 0 };

/** The least that argon2 accepts: the recommended cost was most of the time of tests that sign up. */
const HASH_COST = { memoryCost: 8, timeCost: 1, parallelism: 1 };

export const ADMIN_SECRET = 'the secret of an operator';

/** The services on a fresh database, called in memory. The clock can be set ahead. */
export async function startBackend(options: BackendOptions = {}) {
  const mails: Mail[] = [];
  const texts: TextMessage[] = [];
  const database = options.database ?? (await createTestDatabase(migrate));
  const folder = await mkdtemp(join(tmpdir(), 'longshore-backend-'));
  const errors: unknown[] = [];
  const logError = (error: unknown) => void errors.push(error);
  const limits = { ...DATABASE_LIMITS, ...options.databaseLimits };
  const pool = createPool(database.connection, logError, limits);
  const db = createDatabase(pool);
  const installation = await installationId(db);
  const changes = await listenToChanges({
    connection: database.connection,
    onError: logError,
    limits,
  });
  const clock = {
    ...(options.clock ?? systemClock),
    ahead: 0,
    now: () => Date.now() + clock.ahead,
  };
  const { masterKey } = options;
  const openBuckets =
    masterKey === undefined ? () => createBuckets({ clock }) : createTableBuckets({ db, logError });
  const keys = await openKeys({ db, masterKey, folder: join(folder, 'keys') });
  const mailer = options.mailer ?? { send: async (mail: Mail) => void mails.push(mail) };
  const auth = await createAuth({
    db,
    clock,
    keys,
    openBuckets,
    issuer: 'http://localhost:1337/v1/auth',
    accessTokenTtlSeconds: 900,
    settings: { ...DEFAULT_SETTINGS, ...options.settings },
    isExposed: options.isExposed ?? false,
    signUp: options.signUp,
    hashCost: HASH_COST,
    randomBytes,
    mailer,
    smsSender: options.smsSender ?? { send: async (message) => void texts.push(message) },
    fetch: options.fetch ?? fetch,
    listen: changes.listen,
    logError,
    version: '0.1.0',
  });
  const adminSecret = new Secret(ADMIN_SECRET);
  const deployPolicy = { ...APP_RULES.deployPolicy, ...options.deployPolicy };
  const quotas = createOwnerQuotas({
    quota: { ...NO_LIMITS, ...options.quota },
    tiers: TIERS,
    accountKind,
    overrideOf: readQuotaOverride,
  });
  const readConnection = createConnectionReader({
    isTrustedProxy: trustedProxies(options.trustedProxies ?? []),
    edgeSockets: new WeakSet(),
  });
  const rules = { ...APP_RULES, deployPolicy, quotas };
  const graphql = createGraphql({
    addressOf: (request) => readConnection(request).address,
    pool,
    clock,
    logError,
    rules,
    listen: changes.listen,
    checkBearer: auth.checkBearer,
    isSignedIn: auth.isSignedIn,
    adminSecret,
  });
  const resolveCaller = createCallerResolver({ checkBearer: auth.checkBearer, adminSecret });
  const storage = await createStorage({
    db,
    logError,
    resolveCaller,
    clock: { ...systemClock, now: clock.now },
    folder: join(folder, 'files'),
    s3: options.s3 && { ...options.s3, folder: `files/${installation}` },
    keys,
    maxFileBytes: 1_000_000,
    quotaBytes: 10_000_000,
    ...options.files,
    url: 'http://localhost:1337/v1/storage',
    version: '0.1.0',
  });
  const functionErrors: Error[] = [];
  const functionLines: string[] = [];
  const functions = await createFunctions({
    clock: systemClock,
    folder: join(folder, 'functions'),
    timeoutMs: 10_000,
    memoryMb: 64,
    ...options.functions,
    environment: { GREETING: 'ahoy' },
    resolveCaller,
    logLine: (_, line) => void functionLines.push(line),
    logError: (_, error) => void functionErrors.push(error),
  });
  const connectSettings = { ...CONNECT_SETTINGS, ...options.connect };
  const connect = await createConnect({
    db,
    clock,
    logError,
    keys,
    openBuckets,
    locks:
      masterKey === undefined
        ? createKeyedMutex()
        : createDatabaseMutex({ pool, scope: 'connect' }),
    session: auth.sessionOf,
    audit: auth.audit,
    settings: connectSettings,
    fetch: createGuardedFetch({
      allowLocal: connectSettings.allowLocalSources,
      resolve: options.resolve ?? resolveHost,
    }),
    sourcePolicy: {
      allowLocalSources: connectSettings.allowLocalSources,
      resolve: resolveHost,
      dataDir: folder,
    },
    redeploy,
    redeployByHook: (tx, appId) => redeployByHook(tx, appId, rules),
  });
  const apps = createApps(db);
  const builds = new Map<string, BuildCounts>();
  const changedQuotas: string[] = [];
  const { usedBytes } = options;
  const disk = await openUploadStore(folder);
  const uploads =
    options.s3 === undefined
      ? disk
      : createObjectUploads({
          db,
          objects: openS3Store({ ...options.s3, folder: `uploads/${installation}` }),
          disk,
          clock,
        });
  const engine = usedBytes === undefined ? {} : { usedBytes };
  const usage = { db, quotas, tiers: TIERS, apps, engine, uploads };
  const domains = createTestDomains(db);
  const logs = createLogStore({ storage: createLogFiles(join(folder, 'logs')), clock });
  const app = createApp({
    services: {
      auth: auth.service,
      graphql: graphql.service,
      storage: storage.service,
      functions: functions.service,
      connect: connect.service,
      logs: createLogsService({
        store: logs,
        clock,
        session: auth.sessionOf,
        ownsApp: apps.isOwned,
        logCut: logError,
      }),
      domains: createDomainsService({
        ...domains.checks,
        apps,
        certificates: domains.certificates,
        session: auth.sessionOf,
        hasSeveralAccounts: () => hasSeveralUsers(db),
      }),
      operator: createOperatorService({
        db,
        currentUser: auth.currentUser,
        provedUser: auth.provedUser,
        forgetSessions: auth.forgetSessions,
        signUpSettings: auth.signUpSettings,
        audit: auth.audit,
        publicUrl: 'http://localhost:1337',
        mailer: options.hasMailServer ? mailer : undefined,
        logError,
        usageOf: (userId, signal) =>
          usageForOperator(userId, builds.get(userId) ?? NO_BUILDS, usage, signal),
        certificateWarnings: () => [],
        quotasChanged: async (userId) => void changedQuotas.push(userId),
        health: (signal) =>
          systemHealth(
            {
              db,
              dataDir: folder,
              isDatabaseEmbedded: true,
              version: '0.1.0',
              startedAt: new Date(),
              engine: { kind: 'process', version: async () => undefined },
              edge: () => ({ build: '0123456789abcdef', workers: 1 }),
              isolation: deployPolicy.isolation,
              load: () => ({ builds: NO_BUILDS, reconciling: 0 }),
            },
            signal,
          ),
      }),
      isolation: createIsolationService({ db, policy: deployPolicy, session: auth.sessionOf }),
      apps: createUploadsService({
        db,
        apps,
        rules,
        store: uploads,
        sample: sampleArchive,
        session: auth.tokenSessionOf,
        diskProblemOf: createOwnerLimits(usage).diskProblemOf,
        clock,
        limits: { ...options.uploads },
      }),
      usage: createUsageService({
        session: auth.sessionOf,
        usageOf: (userId, signal) =>
          accountUsage(userId, builds.get(userId) ?? NO_BUILDS, usage, signal),
      }),
    },
    console: new Hono(),
    isReady: () => isAnswering(db),
    publicUrl: 'http://localhost:1337',
    allowedOrigins: options.settings?.allowedOrigins ?? [],
    readConnection,
    logRequest: () => {},
    logError,
  });

  return {
    db: db as Database,
    pool,
    app,
    auth,
    graphql,
    logs,
    storage,
    uploads,
    functions,
    connect,
    /** Output and errors of functions. */
    functionLines,
    functionErrors,
    folder,
    keys,
    clock,
    connection: database.connection,
    domains,
    /** The builds of each user, as the reconciler would count them. */
    builds,
    /** Users whose apps were reconciled because of new quotas. */
    changedQuotas,
    quotas,
    /** Mails and text messages sent so far. */
    mails,
    texts,
    /** Unexpected errors; a test ends with none. */
    errors,
    ...requestsTo((path, init) => app.request(path, init)),
    async stop() {
      await graphql.sockets.stop();
      await auth.stop();
      await functions.stop();
      await storage.stop();
      await logs.close();
      await changes.stop();
      await pool.end();
      await database.drop();
      await rm(folder, { recursive: true });
    },
  };
}

export type Backend = Awaited<ReturnType<typeof startBackend>>;

/** Fails if there were unexpected errors. */
export async function stopWithoutErrors(backend: Backend): Promise<void> {
  expect(backend.errors).toEqual([]);
  await backend.stop();
}

export function bearer(session: Session): Record<string, string> {
  return { authorization: `Bearer ${session.accessToken}` };
}
