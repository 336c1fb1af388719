import { networkInterfaces } from 'node:os';
import { SERVICE_PATHS } from '@longshore/contract';
import { Hono } from 'hono';
import { OFF } from '../certificates/certificate-status.ts';
import type { Config } from '../config.ts';
import { createRecordedIsolation } from '../engines/kubernetes/isolation.ts';
import { unknownPath } from '../http/app.ts';
import { identifyClients } from '../http/client.ts';
import { startCampaign } from '../leader/campaign.ts';
import { type DatabaseLock, openDatabaseLock } from '../leader/database-lock.ts';
import { createForwarding } from '../leader/forward.ts';
import { createForwardingProofs } from '../leader/forwarding-proofs.ts';
import {
  publishLeaderAddress,
  readLeaderAddress,
  withdrawLeaderAddress,
} from '../leader/leader-address.ts';
import { createShutdownHooks } from '../lifecycle/shutdown-hooks.ts';
import { StartProblem } from '../lifecycle/start-problem.ts';
import type { Secret } from '../secrets/secret.ts';
import { type AppRuntime, startAppRuntime } from './app-runtime.ts';
import type { OpenLeader } from './leader.ts';
import { createLeaderServices, type LeaderServices } from './leader-services.ts';
import type { ServerContext } from './server-context.ts';

type Term = { runtime: AppRuntime; app: Hono };

/** One of several servers on a database, each of which may become the leader. */
export const openSharedLeader: OpenLeader = async (context, dataDirectory, parts) => {
  const { config, clock, log, logError, shutdown } = context;
  const { db, connection } = dataDirectory;
  const address = config.replicaAddress ?? ownAddress(config.port);
  const { engineRecords: records } = parts.appServices;
  const recordedIsolation = createRecordedIsolation({ records, clock, logError });
  let term: Term | undefined;
  const forwarding = createForwarding({
    own: () => term?.app,
    leader: () => readLeaderAddress(db),
    proofs: createForwardingProofs(requireMasterKey(config), clock),
    address,
    isStream: (path) => SERVICE_PATHS.apps.some((prefix) => path.startsWith(`${prefix}/`)),
  });
  return {
    services: {
      domains: forwarding,
      usage: forwarding,
      apps: forwarding,
      operator: forwarding,
      metrics: config.metricsToken && forwarding,
    },
    isolation: () => term?.runtime.isolation() ?? recordedIsolation(),
    engine: { kind: 'kubernetes', hasProjectNetwork: true },
    engineSummary: { kind: 'kubernetes', reason: 'run by one of several servers', notes: [] },
    certificateOf: () => OFF,
    // Edges in other pods do not serve it.
    serveConsole: async () => {},
    async start() {
      const campaign = startCampaign({
        openLock: () => openDatabaseLock({ connection, onError: logError }),
        lead,
        onError: logError,
      });
      shutdown.add(campaign.stop);
    },
  };

  async function lead(signal: AbortSignal, lock: Pick<DatabaseLock, 'query' | 'lost'>) {
    const hooks = createShutdownHooks(logError);
    const end = async () => {
      term = undefined;
      // Fails if the lock is lost; then another server publishes its own.
      await withdrawLeaderAddress(lock).catch(() => {});
      await hooks.runAll();
      log.info('this server does not lead any more');
    };
    try {
      log.info('this server leads now');
      const termContext = { ...context, shutdown: hooks, signal };
      const runtime = await startAppRuntime(termContext, dataDirectory, parts);
      // The next leader changes apps and edges from now on; the hooks may wait for a database that does not answer.
      lock.lost.addEventListener('abort', () => void runtime.abandon().catch(logError));
      const { auth } = parts;
      const services = createLeaderServices(termContext, dataDirectory, { auth, runtime });
      term = { runtime, app: leaderApp(services, context) };
      await runtime.serveApps();
      await publishLeaderAddress(lock, address);
    } catch (error) {
      await end();
      throw error;
    }
    return { end };
  }
};

/** The app around it answers errors. */
function leaderApp(
  { metrics, ...services }: LeaderServices,
  { readConnection }: ServerContext,
): Hono {
  const app = new Hono();
  app.use(identifyClients(readConnection));
  for (const [name, service] of Object.entries(services)) {
    for (const path of SERVICE_PATHS[name as keyof typeof services]) app.route(path, service);
  }
  if (metrics !== undefined) app.route('/metrics', metrics);
  app.notFound(unknownPath);
  app.onError((error) => {
    throw error;
  });
  return app;
}

function requireMasterKey({ masterKey }: Config): Secret {
  if (masterKey === undefined) throw new TypeError('Shared state has a master key');
  return masterKey;
}

function ownAddress(port: number): string {
  const found = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find(({ internal, scopeid = 0 }) => !internal && scopeid === 0);
  if (found === undefined) {
    throw new StartProblem(
      'LONGSHORE_REPLICA_ADDRESS is needed: this machine has no address of its own.',
    );
  }
  return found.family === 'IPv6' ? `[${found.address}]:${port}` : `${found.address}:${port}`;
}
