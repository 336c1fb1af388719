import { becomeOnlyServer } from '../leader/only-server.ts';
import { startAppRuntime } from './app-runtime.ts';
import { serveConsoleThroughEdge } from './console-through-edge.ts';
import type { OpenLeader } from './leader.ts';
import { createLeaderServices } from './leader-services.ts';

/** With local state, this server is the only one, so it leads as long as it runs. */
export const openLocalLeader: OpenLeader = async (context, dataDirectory, parts) => {
  const { config, shutdown, logError, signal } = context;
  const { connection, dataDir } = dataDirectory;
  if (config.databaseUrl !== undefined) {
    const only = await becomeOnlyServer({ connection, signal, onError: logError });
    shutdown.add(only.stop);
  }
  const runtime = await startAppRuntime(context, dataDirectory, parts);
  const { auth } = parts;
  return {
    services: createLeaderServices(context, dataDirectory, { auth, runtime }),
    isolation: runtime.isolation,
    engine: runtime.engine,
    engineSummary: runtime.engineSummary,
    certificateOf: runtime.certificateOf,
    serveConsole: (served) =>
      serveConsoleThroughEdge(context, served, { dataDir, edge: runtime.edge }),
    start: runtime.serveApps,
  };
};
