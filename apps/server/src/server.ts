import { join } from 'node:path';
import { SERVICE_PATHS } from '@longshore/contract';
import { createAuth } from './auth/create-auth.ts';
import { systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { consoleConfig } from './console/config.ts';
import { createConsole } from './console/service.ts';
import { startDaily } from './daily.ts';
import { installationId } from './db/installation.ts';
import { openDatabase } from './db/open-database.ts';
import { createClaims } from './domains/claims.ts';
import { createLookup } from './domains/lookup.ts';
import { createDomainsService } from './domains/service.ts';
import { engineChoices } from './engine-choices.ts';
import { noCredentials } from './engines/credentials.ts';
import { openEngine } from './engines/open-engine.ts';
import { createFunctions } from './functions/create-functions.ts';
import { createGraphql } from './graphql/create-graphql.ts';
import { claimHome } from './home/claim-home.ts';
import { lockDataDir } from './home/lock-data-dir.ts';
import { reachableHome } from './home/reachable-home.ts';
import { createApp } from './http/app.ts';
import { createWhoAsks } from './http/asking.ts';
import { startHttpServer } from './http/server.ts';
import { createIngress } from './ingress/ingress.ts';
import { createLogger, type Logger } from './log/logger.ts';
import { createLogStore } from './logs/log-store.ts';
import { createLogsService } from './logs/service.ts';
import { createMailer } from './mail/create-mailer.ts';
import { createTexter } from './mail/create-texter.ts';
import { tidyOutbox } from './mail/tidy-outbox.ts';
import { createOwners } from './owners.ts';
import { createReconciler } from './reconciler/reconciler.ts';
import { createSleep } from './reconciler/sleep.ts';
import { createReconcilerStore } from './reconciler/store.ts';
import { listenProblem, StartProblem } from './start-problem.ts';
import { createStoppers, type Stoppers } from './stoppers.ts';
import { createStorage } from './storage/create-storage.ts';

export type RunningServer = { stop(): Promise<void> };

type StartOptions = { print: (line: string) => void; signal: AbortSignal };

const CONSOLE_FOLDER = join(import.meta.dirname, '../../console/dist');
const VERSION = '0.1.0';
const BUILDS_AT_ONCE = 2;
const EVIDENCE_LINES = 10;

/** Starts everything, or stops again what it had started and throws why. */
export async function startServer(config: Config, options: StartOptions): Promise<RunningServer> {
  const output = process.stdout;
  const logger = createLogger({ level: config.logLevel, output, clock: systemClock });
  const { log } = logger;
  // However the process ends, unless it is killed, what it had to say is said.
  process.once('exit', logger.flush);
  const logError = (error: unknown) => log.error({ err: error }, 'something went wrong');
  const started = createStoppers(logError);
  try {
    await wire(config, { ...options, ...logger, logError, started });
    return { stop: started.stopAll };
  } catch (error) {
    await started.stopAll();
    throw error;
  }
}

type WireOptions = StartOptions &
  Pick<Logger, 'log' | 'requests'> & {
    logError: (error: unknown) => void;
    started: Stoppers;
  };

/** Hands each part what it needs, from the data directory up to the listeners. */
async function wire(config: Config, options: WireOptions) {
  const { print, signal, log, requests, logError, started } = options;
  const clock = systemClock;
  const isRoot = process.getuid?.() === 0;

  const home = await reachableHome({ dataDir: config.dataDir, isRoot, print });
  const lock = await lockDataDir(home);
  if (!lock.ok) throw new StartProblem(lock.message);
  started.add(lock.release);

  const { db, pool, changes, stop } = await openDatabase({
    home,
    isRoot,
    signal,
    databaseUrl: config.databaseUrl,
    log: (message) => log.info(message),
    onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  });
  started.add(stop);
  const installation = await installationId(db);
  await claimHome(home, installation);

  const outbox = join(config.dataDir, 'outbox');
  const auth = await createAuth({
    db,
    clock,
    keysFolder: join(config.dataDir, 'keys'),
    issuer: `${config.publicUrl}${SERVICE_PATHS.auth[0]}`,
    accessTokenTtlSeconds: config.accessTokenTtlSeconds,
    settings: config,
    mailer: createMailer({ config, clock, print, folder: outbox }),
    texter: createTexter({ config, clock, fetch, print, folder: outbox }),
    fetch,
    logError,
    version: VERSION,
  });
  started.add(auth.stop);
  for (const tidy of [auth.tidy, () => tidyOutbox({ folder: outbox, clock })])
    started.add(startDaily(tidy, { clock, logError }).stop);
  const graphql = createGraphql({
    pool,
    clock,
    logError,
    rules: config,
    listen: changes.listen,
    credentials: auth.callerOf,
    isSignedIn: auth.isSignedIn,
    adminSecret: config.adminSecret,
  });
  // Again below: they have a timer from now on, and must be closed before the listener once there is one.
  started.add(graphql.sockets.stop);

  const whoAsks = createWhoAsks({
    credentials: auth.callerOf,
    adminSecret: config.adminSecret,
  });
  const storage = await createStorage({
    db,
    clock,
    logError,
    whoAsks,
    folder: join(config.dataDir, 'files'),
    keysFolder: join(config.dataDir, 'keys'),
    maxFileBytes: config.maxFileBytes,
    quotaBytes: config.filesQuotaBytes,
    url: `${config.publicUrl}${SERVICE_PATHS.storage[0]}`,
    version: VERSION,
  });
  started.add(storage.stop);
  started.add(startDaily(storage.tidy, { clock, logError }).stop);

  const functions = await createFunctions({
    clock,
    whoAsks,
    folder: join(config.dataDir, 'functions'),
    timeoutMs: config.functionsTimeoutMs,
    memoryMb: config.functionsMemoryMb,
    environment: config.otherVariables,
    logLine: (file, line) => log.info({ function: file }, line),
    logError: (file, error) => log.error({ err: error, function: file }, 'a function failed'),
  });
  started.add(functions.stop);

  const owners = createOwners(db);
  const logs = createLogStore({ folder: join(config.dataDir, 'logs'), clock, report: logError });
  started.add(logs.close);

  const engine = await openEngine(
    engineChoices(config, {
      home,
      isRoot,
      installation,
      clock,
      logs,
      logError,
      mayRun: owners.isFirst,
      credentials: noCredentials,
    }),
    signal,
  );
  started.add(engine.close);
  const sleep = createSleep(db);
  const ingress = createIngress({
    host: config.host,
    port: config.ingressPort,
    clock,
    wake: sleep.wake,
    sleep: sleep.hibernate,
    logError: (error, appId) => log.error({ err: error, appId }, 'sleeping or waking failed'),
  });
  started.add(() => ingress.stop());
  await ingress.listen().catch((error) => {
    throw listenProblem(error, 'LONGSHORE_INGRESS_PORT', config.ingressPort);
  });

  const reconciler = createReconciler({
    store: createReconcilerStore(db),
    engine,
    routes: { ...ingress.routes, drained: ingress.drained },
    listen: changes.listen,
    lastLines: (appId, { logName }) => logs.lastLines(appId, logName, EVIDENCE_LINES),
    forgetLogs: logs.remove,
    baseDomain: config.baseDomain,
    builds: BUILDS_AT_ONCE,
    clock,
    logError: (error, appId) => log.error({ err: error, appId }, 'a pass failed'),
  });
  started.add(reconciler.stop);

  const app = createApp({
    services: {
      auth: auth.service,
      graphql: graphql.service,
      storage: storage.service,
      functions: functions.service,
      logs: createLogsService({
        store: logs,
        clock,
        session: auth.sessionOf,
        ownApp: owners.ownsApp,
      }),
      domains: createDomainsService({
        claims: createClaims(db),
        lookup: createLookup(),
        publicIp: config.publicIp,
        look: reconciler.look,
        session: auth.sessionOf,
        ownApp: owners.ownsApp,
      }),
    },
    publicUrl: config.publicUrl,
    console: createConsole({ folder: CONSOLE_FOLDER, config: consoleConfig(config, engine.kind) }),
    logRequest: ({ method, path, ...rest }) => requests.info(rest, `${method} ${path}`),
    logError: (error, requestId) => log.error({ err: error, requestId }, 'a request failed'),
  });
  const server = await startHttpServer({
    app,
    host: config.host,
    port: config.port,
    uploads: SERVICE_PATHS.storage,
    publicUrl: config.publicUrl,
    upgrades: Object.fromEntries(
      SERVICE_PATHS.graphql.map((path) => [path, graphql.sockets.upgrade]),
    ),
  }).catch((error) => {
    throw listenProblem(error, 'LONGSHORE_PORT', config.port);
  });
  started.add(server.stop);
  // Before the listener, which waits for every connection to end.
  started.add(graphql.sockets.stop);
  await reconciler.start();
}
