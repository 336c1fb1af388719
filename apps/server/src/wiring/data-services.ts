import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { SERVICE_PATHS } from '@longshore/contract';
import { createAuth } from '../auth/create-auth.ts';
import { startDaily } from '../daily.ts';
import { isExposed } from '../exposure.ts';
import { createFunctions } from '../functions/create-functions.ts';
import { createGraphql } from '../graphql/create-graphql.ts';
import { createCallerResolver } from '../http/resolve-caller.ts';
import { createMailer } from '../mail/create-mailer.ts';
import { createTexter } from '../mail/create-texter.ts';
import { removeOldMessages } from '../mail/tidy-outbox.ts';
import { createStorage } from '../storage/create-storage.ts';
import type { Ground } from './ground.ts';
import type { Wiring } from './wiring.ts';

/** The services a public client knows: authentication, GraphQL, storage, functions. */
export async function createDataServices(wiring: Wiring, ground: Ground) {
  const { config, clock, started, logError } = wiring;
  const auth = await authentication(wiring, ground);
  const graphql = createGraphql({
    pool: ground.pool,
    clock,
    logError,
    rules: config,
    listen: ground.changes.listen,
    checkBearer: auth.checkBearer,
    isSignedIn: auth.isSignedIn,
    adminSecret: config.adminSecret,
  });
  const resolveCaller = createCallerResolver({
    checkBearer: auth.checkBearer,
    adminSecret: config.adminSecret,
  });
  const storage = await createStorage({
    db: ground.db,
    clock,
    logError,
    resolveCaller,
    folder: join(config.dataDir, 'files'),
    keysFolder: join(config.dataDir, 'keys'),
    maxFileBytes: config.maxFileBytes,
    quotaBytes: config.filesQuotaBytes,
    url: `${config.publicUrl}${SERVICE_PATHS.storage[0]}`,
    version: wiring.version,
  });
  started.add(storage.stop);
  started.add(startDaily(storage.tidy, { clock, logError }).stop);
  const functions = await createFunctions({
    clock,
    resolveCaller,
    folder: join(config.dataDir, 'functions'),
    timeoutMs: config.functionsTimeoutMs,
    memoryMb: config.functionsMemoryMb,
    environment: config.otherVariables,
    logLine: (file, line) => wiring.log.info({ function: file }, line),
    logError: (file, error) =>
      wiring.log.error({ err: error, function: file }, 'a function failed'),
  });
  started.add(functions.stop);
  return { auth, graphql, storage, functions };
}

async function authentication(wiring: Wiring, { db }: Ground) {
  const { config, clock, print, started, logError } = wiring;
  const outbox = join(config.dataDir, 'outbox');
  const auth = await createAuth({
    db,
    clock,
    keysFolder: join(config.dataDir, 'keys'),
    issuer: `${config.publicUrl}${SERVICE_PATHS.auth[0]}`,
    accessTokenTtlSeconds: config.accessTokenTtlSeconds,
    settings: config,
    isExposed: isExposed(config),
    randomBytes,
    mailer: createMailer({ config, clock, print, folder: outbox }),
    texter: createTexter({ config, clock, fetch, print, folder: outbox }),
    fetch,
    logError,
    version: wiring.version,
  });
  started.add(auth.stop);
  for (const task of [auth.maintain, () => removeOldMessages({ folder: outbox, clock })])
    started.add(startDaily(task, { clock, logError }).stop);
  return auth;
}
