import { join } from 'node:path';
import { SERVICE_PATHS } from '@longshore/contract';
import { systemClock, trustedProxies } from '@longshore/edge-contract';
import { hasAccounts } from './auth/first-account/accounts.ts';
import type { Config } from './config.ts';
import { consoleConfig } from './console/config.ts';
import { createConsole } from './console/service.ts';
import { isAnswering } from './db/is-answering.ts';
import { PROJECT_NETWORKS } from './engines/docker/subnets.ts';
import { createApp } from './http/app.ts';
import { createConnectionReader } from './http/client.ts';
import { startHttpServer } from './http/server.ts';
import { createIsolationService } from './isolation/service.ts';
import { createForwardingProofs } from './leader/forwarding-proofs.ts';
import { createShutdownHooks } from './lifecycle/shutdown-hooks.ts';
import { listenProblem } from './lifecycle/start-problem.ts';
import { createLogger } from './log/logger.ts';
import { IPV6_NETWORK } from './sandbox/network/addresses.ts';
import { appUrlOf, type StartSummary } from './terminal/start-summary.ts';
import type { Terminal } from './terminal/terminal.mjs';
import { createAppServices } from './wiring/app-services.ts';
import { openDataDirectory } from './wiring/data-directory.ts';
import { createDataServices, createGraphqlService } from './wiring/data-services.ts';
import { createIntegrationsService } from './wiring/integrations.ts';
import { openLocalLeader } from './wiring/local-leader.ts';
import type { ServerContext } from './wiring/server-context.ts';
import { openSharedLeader } from './wiring/shared-leader.ts';

export type RunningServer = { summary: StartSummary; stop(): Promise<void> };

type StartOptions = { terminal: Terminal; signal: AbortSignal };

const CONSOLE_FOLDER = join(import.meta.dirname, '../../console/dist');
const VERSION = '0.1.0';
const DRAIN_MS = 5_000;

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
  const edgeSockets = new WeakSet<object>();
  const isTrustedProxy = trustedProxies(config.trustedProxies, [
    config.network,
    IPV6_NETWORK,
    PROJECT_NETWORKS,
  ]);
  const isRoot = process.getuid?.() === 0;
  try {
    const summary = await startParts({
      config,
      readConnection: createConnectionReader({
        isTrustedProxy,
        edgeSockets,
        isForwarded:
          config.masterKey && createForwardingProofs(config.masterKey, clock).isForwarded,
      }),
      edgeSockets,
      clock,
      isRoot,
      version: VERSION,
      dailyJobs: [],
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

function isProbe(path: string): boolean {
  return path === '/healthz' || path === '/readyz';
}

/** Starts the parts, from the data directory up to the listeners. */
async function startParts(context: ServerContext): Promise<StartSummary> {
  const { config, log, requests, shutdown } = context;
  const dataDirectory = await openDataDirectory(context);
  const { auth, quotas, storage, functions } = await createDataServices(context, dataDirectory);
  const appServices = createAppServices(context, dataDirectory, {
    auth,
    quotas,
    isolation: () => leader.isolation(),
  });
  const { rules, deployPolicy } = appServices;
  const connect = await createIntegrationsService(context, dataDirectory, { auth, rules });
  const openLeader = config.state === 'shared' ? openSharedLeader : openLocalLeader;
  const leader = await openLeader(context, dataDirectory, {
    auth,
    quotas,
    credentials: connect.credentials,
    appServices,
  });
  const graphql = createGraphqlService(context, dataDirectory, { auth, rules });
  const { metrics, ...leaderServices } = leader.services;
  const staticConfig = consoleConfig(config, leader.engine);
  const app = createApp({
    services: {
      auth: auth.service,
      graphql: graphql.service,
      storage: storage.service,
      functions: functions.service,
      connect: connect.service,
      logs: appServices.logsService,
      ...leaderServices,
      isolation: createIsolationService({
        db: dataDirectory.db,
        policy: deployPolicy,
        session: auth.sessionOf,
      }),
    },
    metrics,
    isReady: () => isAnswering(dataDirectory.db),
    publicUrl: config.publicUrl,
    allowedOrigins: config.allowedOrigins,
    readConnection: context.readConnection,
    console: createConsole({
      folder: CONSOLE_FOLDER,
      config: async () => ({
        ...staticConfig,
        needsSetupCode: await auth.needsSetupCode(),
        signUp: await auth.signUpMode(),
      }),
    }),
    // Those of a cluster are sent all the time.
    logRequest: ({ method, path, ...rest }) =>
      requests[isProbe(path) ? 'debug' : 'info'](rest, `${method} ${path}`),
    logError: (error, requestId) => log.error({ err: error, requestId }, 'request failed'),
  });
  const { upgrade, stop: closeSockets } = graphql.sockets;
  const served = {
    app,
    uploads: [...SERVICE_PATHS.storage, ...SERVICE_PATHS.apps],
    publicUrl: config.publicUrl,
    allowedOrigins: config.allowedOrigins,
    upgrades: Object.fromEntries(SERVICE_PATHS.graphql.map((path) => [path, upgrade])),
  };
  const { host, port } = config;
  const server = await startHttpServer({ ...served, host, port }).catch((error) => {
    throw listenProblem(error, 'LONGSHORE_PORT', port);
  });
  shutdown.add(server.stop);
  await leader.serveConsole(served);
  // Stops before the listener, which waits for every connection to close.
  shutdown.add(closeSockets);
  // Last: a start that fails leaves no edge behind.
  await leader.start();
  // First: a cluster learns a moment later that this server ends, and sends requests until then.
  if (config.state === 'shared') shutdown.add(() => server.drain(DRAIN_MS));
  const { publicUrl, dataDir } = config;
  const hasAccount = await hasAccounts(dataDirectory.db);
  return {
    version: context.version,
    publicUrl,
    appUrl: appUrlOf(staticConfig.ingress, leader.certificateOf),
    engine: leader.engineSummary,
    dataDir,
    firstAccount: hasAccount ? undefined : { setupCode: auth.setupCode },
  };
}
