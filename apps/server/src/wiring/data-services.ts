import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { SERVICE_PATHS } from '@longshore/contract';
import type { AppRules } from '../apps/check-app-values.ts';
import { createOwnerQuotas } from '../apps/owner-quotas.ts';
import { readQuotaOverride } from '../apps/quota-overrides.ts';
import { removeUnusedVariables } from '../apps/remove-unused-variables.ts';
import { createAuth } from '../auth/create-auth.ts';
import { accountKind } from '../auth/first-account/accounts.ts';
import { createFunctions } from '../functions/service.ts';
import { createGraphql } from '../graphql/create-graphql.ts';
import { isExposed } from '../http/is-exposed.ts';
import { createCallerResolver } from '../http/resolve-caller.ts';
import { StartProblem } from '../lifecycle/start-problem.ts';
import { createMailer } from '../mail/create-mailer.ts';
import { createSmsSender } from '../mail/create-sms-sender.ts';
import { removeOldMessages } from '../mail/outbox.ts';
import type { MovedFiles } from '../move/move-files.ts';
import { openBucketsFor } from '../rate-limits/open-buckets.ts';
import { startDailyJob } from '../schedule/daily-job.ts';
import { createStorage } from '../storage/create-storage.ts';
import { bucketProblem, type S3Settings } from '../storage/s3-store.ts';
import type { DataDirectory } from './data-directory.ts';
import type { ServerContext } from './server-context.ts';

type Auth = Awaited<ReturnType<typeof createAuth>>;

export type DataServices = Awaited<ReturnType<typeof createDataServices>>;

/** The services of the public API that do not depend on the engine: auth, storage and functions. */
export async function createDataServices(context: ServerContext, dataDirectory: DataDirectory) {
  const { config, clock, shutdown, log, logError, version } = context;
  const { db } = dataDirectory;
  const auth = await createAuthService(context, dataDirectory);
  const quotas = createOwnerQuotas({
    quota: config.quota,
    tiers: config.tiers,
    accountKind,
    overrideOf: readQuotaOverride,
  });
  const resolveCaller = createCallerResolver({
    checkBearer: auth.checkBearer,
    adminSecret: config.adminSecret,
  });
  if (config.s3 !== undefined) await checkBucket(config.s3, context);
  const storage = await createStorage({
    db,
    clock,
    logError,
    resolveCaller,
    folder: join(config.dataDir, 'files'),
    s3: config.s3 && { ...config.s3, folder: `files/${dataDirectory.installation}` },
    onFilesShared: config.state === 'shared' ? (shared) => logShared(shared, log) : undefined,
    keys: dataDirectory.keys,
    maxFileBytes: config.maxFileBytes,
    quotaBytes: config.filesQuotaBytes,
    url: `${config.publicUrl}${SERVICE_PATHS.storage[0]}`,
    version,
  });
  shutdown.add(storage.stop);
  context.dailyJobs.push(storage.removeOrphans, () => removeUnusedVariables(db));
  const functions = await createFunctions({
    clock,
    resolveCaller,
    folder: join(config.dataDir, 'functions'),
    timeoutMs: config.functionsTimeoutMs,
    memoryMb: config.functionsMemoryMb,
    environment: config.otherVariables,
    logLine: (file, line) => log.info({ function: file }, line),
    logError: (file, error) => log.error({ err: error, function: file }, 'function failed'),
  });
  shutdown.add(functions.stop);
  return { auth, quotas, storage, functions };
}

/** Wrong settings prevent the start. An object store that is down does not: it may come back. */
async function checkBucket(settings: S3Settings, { log }: ServerContext): Promise<void> {
  const problem = await bucketProblem(settings).catch((error) => {
    log.warn({ err: error }, 'the object store for files does not answer');
  });
  if (problem === undefined) return;
  throw new StartProblem(`The bucket LONGSHORE_S3_BUCKET cannot be used: ${problem}.`);
}

function logShared({ files, unreadable }: MovedFiles, log: ServerContext['log']): void {
  const text = 'the object store has all files of the data directory';
  if (unreadable.length === 0) log.info({ files }, text);
  else log.warn({ files, unreadable }, `${text} except damaged ones`);
}

export function createGraphqlService(
  { config, clock, readConnection, logError }: ServerContext,
  { pool, changes }: DataDirectory,
  { auth, rules }: { auth: Auth; rules: AppRules },
) {
  return createGraphql({
    pool,
    clock,
    logError,
    rules,
    listen: changes.listen,
    addressOf: (request) => readConnection(request).address,
    checkBearer: auth.checkBearer,
    isSignedIn: auth.isSignedIn,
    adminSecret: config.adminSecret,
  });
}

async function createAuthService(context: ServerContext, { db, changes, keys }: DataDirectory) {
  const { config, clock, print, shutdown, logError, version } = context;
  const outbox = join(config.dataDir, 'outbox');
  const auth = await createAuth({
    db,
    clock,
    keys,
    openBuckets: openBucketsFor({ config, db, clock, logError }),
    issuer: `${config.publicUrl}${SERVICE_PATHS.auth[0]}`,
    accessTokenTtlSeconds: config.accessTokenTtlSeconds,
    settings: {
      publicUrl: config.publicUrl,
      allowedRedirects: config.allowedRedirects,
      allowedOrigins: config.allowedOrigins,
      passwordMinLength: config.passwordMinLength,
      requireVerifiedEmail: config.requireVerifiedEmail,
      anonymousSignIn: config.anonymousSignIn,
      rateLimits: config.rateLimits,
      providers: config.providers,
    },
    isExposed: isExposed(config),
    signUp: config.signUp,
    randomBytes,
    mailer: createMailer({ config, clock, print, folder: outbox }),
    smsSender: createSmsSender({ config, clock, fetch, print, folder: outbox }),
    fetch,
    listen: changes.listen,
    logError,
    version,
  });
  shutdown.add(auth.stop);
  context.dailyJobs.push(auth.removeExpired);
  // Each server has an outbox and signing keys in memory.
  for (const job of [auth.rotateKeys, () => removeOldMessages({ folder: outbox, clock })])
    shutdown.add(startDailyJob(job, { clock, logError }).stop);
  return auth;
}
