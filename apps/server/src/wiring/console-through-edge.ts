import { consoleRoute } from '../edge/console-host.ts';
import { openConsoleSocket, SOCKET_FOR_EDGE } from '../edge/console-socket.ts';
import type { Edge } from '../edge/edge.ts';
import { type HttpServerDeps, startHttpServer } from '../http/server.ts';
import type { Identity } from '../processes/identity.ts';
import type { ServerContext } from './server-context.ts';

/** The edge serves the console at the host of an https:// public URL, over a socket that only the edge can reach. */
export async function serveConsoleThroughEdge(
  { config, shutdown, edgeSockets }: ServerContext,
  served: HttpServerDeps,
  { dataDir, edge }: { dataDir: string; edge: Edge & { identity: Identity | undefined } },
): Promise<void> {
  if (config.consoleHost === undefined) return;
  const { path, admitEdge, close } = await openConsoleSocket(dataDir, edge.identity);
  shutdown.add(close);
  const onConnection = (socket: object) => void edgeSockets.add(socket);
  const server = await startHttpServer({ ...served, path, onConnection });
  shutdown.add(server.stop);
  await admitEdge();
  edge.change({ routes: [consoleRoute(config.consoleHost, SOCKET_FOR_EDGE, config.hsts)] });
}
