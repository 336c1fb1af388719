import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import type { Address } from '../engines/engine.ts';
import { answerNotice } from './answer-notice.ts';
import type { AskAppDeps } from './ask-app.ts';
import { destinationOf } from './destination.ts';
import { forwardRequest } from './forward-request.ts';
import { forwardUpgrade } from './forward-upgrade.ts';
import { KeptConnections } from './kept-connections.ts';
import { LIMITS } from './limits.ts';
import { framingOf } from './request-headers.ts';
import { createRouteTable, type RouteTable } from './route-table.ts';
import { stopServer } from './stop-server.ts';
import { createTargetUse } from './target-use.ts';

const STOP_MS = 10_000;

export type IngressDeps = {
  host: string;
  /** 0 picks a free one. */
  port: number;
  limits?: { headersMs?: number; idleMs?: number; inFlightPerTarget?: number };
};

/** The door through which apps are reached, by host name. */
export type Ingress = {
  routes: RouteTable;
  listen(): Promise<{ port: number }>;
  /** Resolves when no request or websocket uses the target any more, or the time is up. */
  drained(target: Address, timeoutMs: number): Promise<void>;
  /** Takes no more requests, lets those under way finish in the given time, then cuts them off. */
  stop(timeoutMs?: number): Promise<void>;
};

export function createIngress({ host, port, limits = {} }: IngressDeps): Ingress {
  const { headersMs, idleMs, inFlightPerTarget } = { ...LIMITS, ...limits };
  const routes = createRouteTable();
  const use = createTargetUse();
  const kept = new KeptConnections();
  const tunnels = new Set<Socket>();
  let turn = 0;
  const askDeps: AskAppDeps = { kept, use, inFlightPerTarget, nextTurn: () => turn++ };

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const destination = destinationOf(request, routes);
    if (destination.kind === 'app') forwardRequest(askDeps, request, response, destination);
    else answerNotice(request, response, destination.notice);
  }

  const server = createBoundedServer(headersMs, idleMs)
    .on('request', handle)
    .on('checkContinue', handle)
    .on('upgrade', (request, socket, head) => {
      if (!(socket instanceof Socket)) return;
      // Node no longer listens to this socket, and an error that nobody listens to ends the server.
      socket.on('error', () => {});
      tunnels.add(socket);
      socket.on('close', () => tunnels.delete(socket));
      forwardUpgrade(askDeps, request, { socket, head }, destinationOf(request, routes));
    });

  return {
    routes,
    listen: () => listen(server, host, port),
    async drained(target, timeoutMs) {
      await use.ended(target, timeoutMs);
      kept.closeIdle(target);
    },
    async stop(timeoutMs = STOP_MS) {
      for (const socket of tunnels) socket.destroySoon();
      await stopServer(server, timeoutMs, () => {
        for (const socket of tunnels) socket.destroy();
      });
      kept.destroy();
    },
  };
}

function createBoundedServer(headersMs: number, idleMs: number): Server {
  const server = createServer({
    headersTimeout: headersMs,
    // An upload may take as long as it moves.
    requestTimeout: 0,
    keepAliveTimeout: LIMITS.keepAliveMs,
    connectionsCheckingInterval: Math.min(headersMs, LIMITS.connectionCheckMs),
    noDelay: true,
    keepAlive: true,
    shouldUpgradeCallback: isWebsocket,
  });
  server.timeout = idleMs;
  server.maxConnections = LIMITS.connections;
  // The header's size is bounded; dropping headers beyond a count would only hide some from us.
  server.maxHeadersCount = 0;
  return server;
}

/** Any other upgrade, such as to clear-text HTTP/2, would carry requests past us: it is passed on as a plain request. */
function isWebsocket({ method, headers }: IncomingMessage): boolean {
  const isWish = headers.upgrade?.toLowerCase() === 'websocket';
  return isWish && method === 'GET' && framingOf(headers).kind === 'none';
}

function listen(server: Server, host: string, port: number): Promise<{ port: number }> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve({ port: (server.address() as AddressInfo).port });
    });
  });
}
