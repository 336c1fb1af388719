import { join } from 'node:path';
import { ROUTES, SERVICE_PATHS } from '@longshore/contract';
import { systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { consoleConfig } from './console/config.ts';
import { createConsole } from './console/service.ts';
import { createApp } from './http/app.ts';
import { startHttpServer } from './http/server.ts';
import { createLogger } from './log/logger.ts';
import type { Secret } from './secrets/secret.ts';
import { listenProblem } from './start-problem.ts';
import { createStoppers } from './stoppers.ts';
import { createConnecting } from './wiring/connecting.ts';
import { createDataServices } from './wiring/data-services.ts';
import { createDeploying } from './wiring/deploying.ts';
import { openGround } from './wiring/ground.ts';
import type { Wiring } from './wiring/wiring.ts';

export type RunningServer = { stop(): Promise<void> };

type StartOptions = { print: (line: string) => void; signal: AbortSignal };

const CONSOLE_FOLDER = join(import.meta.dirname, '../../console/dist');
const VERSION = '0.1.0';

/** Starts everything, or stops again what it had started and throws why. */
export async function startServer(config: Config, options: StartOptions): Promise<RunningServer> {
  const clock = systemClock;
  const logger = createLogger({ level: config.logLevel, output: process.stdout, clock });
  // However the process ends, unless it is killed, what it had to say is said.
  process.once('exit', logger.flush);
  const logError = (error: unknown) => logger.log.error({ err: error }, 'something went wrong');
  const started = createStoppers(logError);
  const isRoot = process.getuid?.() === 0;
  try {
    const ours = { config, clock, isRoot, version: VERSION, started, logError };
    await wire({ ...options, ...logger, ...ours });
    return { stop: started.stopAll };
  } catch (error) {
    await started.stopAll();
    throw error;
  }
}

/** Hands each part what it needs, from the data directory up to the listeners. */
async function wire(wiring: Wiring): Promise<void> {
  const { config, log, requests, started } = wiring;
  const ground = await openGround(wiring);
  const data = await createDataServices(wiring, ground);
  const connect = await createConnecting(wiring, ground, data.auth);
  const { engine, reconciler, ...deploying } = await createDeploying(wiring, ground, {
    auth: data.auth,
    credentials: connect.credentials,
  });

  const lasting = consoleConfig(config, engine.kind);
  const app = createApp({
    services: {
      auth: data.auth.service,
      graphql: data.graphql.service,
      storage: data.storage.service,
      functions: data.functions.service,
      connect: connect.service,
      logs: deploying.logsService,
      domains: deploying.domainsService,
    },
    publicUrl: config.publicUrl,
    console: createConsole({
      folder: CONSOLE_FOLDER,
      config: async () => ({ ...lasting, needsSetupCode: await data.auth.needsSetupCode() }),
    }),
    logRequest: ({ method, path, ...rest }) => requests.info(rest, `${method} ${path}`),
    logError: (error, requestId) => log.error({ err: error, requestId }, 'a request failed'),
  });
  const { upgrade, stop: closeSockets } = data.graphql.sockets;
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
  started.add(server.stop);
  // Before the listener, which waits for every connection to end.
  started.add(closeSockets);
  await reconciler.start();
  const { setupCode } = data.auth;
  if (setupCode !== undefined) wiring.print(setupLine(config.publicUrl, setupCode));
}

/** The only place that shows the code. */
function setupLine(publicUrl: string, setupCode: Secret): string {
  const address = `${publicUrl}${ROUTES.signup}`;
  return `To make the first account, open ${address} and type the set-up code ${setupCode.reveal()}`;
}
