import { join } from 'node:path';
import { publicUrlOf, SERVICE_PATHS } from '@longshore/contract';
import { hasAccounts } from './auth/first-account/accounts.ts';
import type { Config } from './config.ts';
import { consoleConfig } from './console/config.ts';
import { createConsole } from './console/service.ts';
import { createApp } from './http/app.ts';
import { startHttpServer } from './http/server.ts';
import { createIsolationService } from './isolation/service.ts';
import { createShutdownHooks } from './lifecycle/shutdown-hooks.ts';
import { listenProblem } from './lifecycle/start-problem.ts';
import { createLogger } from './log/logger.ts';
import { systemClock } from './schedule/clock.ts';
import type { StartSummary } from './terminal/start-summary.ts';
import type { Terminal } from './terminal/terminal.mjs';
import { startAppRuntime } from './wiring/app-runtime.ts';
import { openDataDirectory } from './wiring/data-directory.ts';
import { createDataServices, createGraphqlService } from './wiring/data-services.ts';
import { createIntegrationsService } from './wiring/integrations.ts';
import type { ServerContext } from './wiring/server-context.ts';

export type RunningServer = { summary: StartSummary; stop(): Promise<void> };

type StartOptions = { terminal: Terminal; signal: AbortSignal };

const CONSOLE_FOLDER = join(import.meta.dirname, '../../console/dist');
const VERSION = '0.1.0';

/** Starts everything, or stops what it has started so far and throws the reason. */
export async function startServer(
  config: Config,
  { terminal, signal }: StartOptions,
): Promise<RunningServer> {
  const clock = systemClock;
  const { log, requests, flush } = createLogger({
    level: config.logLevel,
    format: terminal.format,
    write: terminal.write,
    clock,
  });
  // Buffered log lines are written however the process ends, unless it is killed.
  process.once('exit', flush);
  const logError = (error: unknown) => log.error({ err: error }, 'unexpected error');
  const shutdown = createShutdownHooks(logError);
  const isRoot = process.getuid?.() === 0;
  try {
    const summary = await startParts({
      config,
      clock,
      isRoot,
      version: VERSION,
      shutdown,
      print: terminal.print,
      step: terminal.step,
      log,
      requests,
      logError,
      signal,
    });
    return { summary, stop: shutdown.runAll };
  } catch (error) {
    await shutdown.runAll();
    throw error;
  }
}

/** Starts the parts, from the data directory up to the listeners. */
async function startParts(context: ServerContext): Promise<StartSummary> {
  const { config, log, requests, shutdown } = context;
  const dataDirectory = await openDataDirectory(context);
  const { auth, quotas, storage, functions } = await createDataServices(context, dataDirectory);
  const connect = await createIntegrationsService(context, dataDirectory, auth);
  const runtime = await startAppRuntime(context, dataDirectory, {
    auth,
    quotas,
    credentials: connect.credentials,
  });
  const { deployPolicy } = runtime;
  const graphql = createGraphqlService(context, dataDirectory, { auth, deployPolicy, quotas });

  const staticConfig = consoleConfig(config, runtime.engine.kind);
  const app = createApp({
    services: {
      auth: auth.service,
      graphql: graphql.service,
      storage: storage.service,
      functions: functions.service,
      connect: connect.service,
      logs: runtime.logsService,
      domains: runtime.domainsService,
      usage: runtime.usageService,
      isolation: createIsolationService({
        db: dataDirectory.db,
        policy: deployPolicy,
        session: auth.sessionOf,
      }),
    },
    publicUrl: config.publicUrl,
    console: createConsole({
      folder: CONSOLE_FOLDER,
      config: async () => ({ ...staticConfig, needsSetupCode: await auth.needsSetupCode() }),
    }),
    logRequest: ({ method, path, ...rest }) => requests.info(rest, `${method} ${path}`),
    logError: (error, requestId) => log.error({ err: error, requestId }, 'request failed'),
  });
  const { upgrade, stop: closeSockets } = graphql.sockets;
  const server = await startHttpServer({
    app,
    host: config.host,
    port: config.port,
    uploads: SERVICE_PATHS.storage,
    publicUrl: config.publicUrl,
    upgrades: Object.fromEntries(SERVICE_PATHS.graphql.map((path) => [path, upgrade])),
  }).catch((error) => {
    throw listenProblem(error, 'LONGSHORE_PORT', config.port);
  });
  shutdown.add(server.stop);
  // Stops before the listener, which waits for every connection to close.
  shutdown.add(closeSockets);
  await runtime.reconciler.start();
  const { publicUrl, dataDir } = config;
  const hasAccount = await hasAccounts(dataDirectory.db);
  return {
    version: context.version,
    publicUrl,
    appUrl: publicUrlOf(staticConfig.ingress, `<app>.${config.baseDomain}`),
    engine: runtime.engineSummary,
    dataDir,
    firstAccount: hasAccount ? undefined : { setupCode: auth.setupCode },
  };
}
