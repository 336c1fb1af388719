import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import type { Clock } from '../clock.ts';
import type { Address } from '../engines/engine.ts';
import type { AskAppDeps } from './ask-app.ts';
import { createHolding } from './holding.ts';
import { createIdleWatch } from './idle-watch.ts';
import { KeptConnections } from './kept-connections.ts';
import { LIMITS } from './limits.ts';
import { receive } from './receive.ts';
import { framingOf } from './request-headers.ts';
import { createRouteTable, type Route } from './route-table.ts';
import { stopServer } from './stop-server.ts';
import { createTargetUse } from './target-use.ts';
import { trustedProxies } from './trusted-proxies.ts';
import { requestVisit, upgradeVisit } from './visits.ts';
import { createWakeCalls } from './wake-calls.ts';

const STOP_MS = 10_000;

export type IngressDeps = {
  host: string;
  /** 0 picks a free one. */
  port: number;
  /** Addresses and networks of proxies that are believed about who asks. */
  trustedProxies: readonly string[];
  clock: Clock;
  /** Somebody visits an app that sleeps, and is held. */
  wake(appId: string): Promise<void>;
  /** Nobody visited an app for as long as it allows. */
  sleep(appId: string): Promise<void>;
  logError(error: unknown, appId: string): void;
  limits?: Partial<IngressLimits>;
};

export type IngressLimits = Record<
  | 'headersMs'
  | 'idleMs'
  | 'inFlightPerTarget'
  | 'pageMs'
  | 'holdMs'
  | 'heldPerApp'
  | 'heldAtAll'
  | 'wakesAtOnce'
  | 'wakeMs',
  number
>;

/** The door through which apps are reached, by host name. */
export type Ingress = {
  routes: Routes;
  listen(): Promise<{ port: number }>;
  /** Resolves when no request or websocket uses the target any more, or the time is up. */
  drained(target: Address, timeoutMs: number): Promise<void>;
  /** Takes no more requests, lets those under way finish in the given time, then cuts them off. */
  stop(timeoutMs?: number): Promise<void>;
};

/** Where requests for an app go. Whoever waits for the app looks again after each change. */
export type Routes = {
  set(appId: string, hosts: string[], route: Route): void;
  remove(appId: string): void;
};

export function createIngress(deps: IngressDeps): Ingress {
  const { clock, logError } = deps;
  const limits = { ...LIMITS, ...deps.limits };
  const table = createRouteTable({ clock });
  const use = createTargetUse();
  const kept = new KeptConnections();
  const tunnels = new Set<Socket>();
  const holding = createHolding({ clock, ...limits });
  const wakeCalls = createWakeCalls({ clock, ...limits, wake: deps.wake, logError });
  const idleWatch = createIdleWatch({
    clock,
    apps: table.apps,
    idle: (appId) => void deps.sleep(appId).catch((error) => logError(error, appId)),
  });
  let turn = 0;
  const { inFlightPerTarget } = limits;
  const isTrusted = trustedProxies(deps.trustedProxies);
  const nextTurn = () => turn++;
  const askDeps: AskAppDeps = { kept, use, inFlightPerTarget, isTrusted, nextTurn };
  const receiveDeps = { clock, routes: table, holding, wakeCalls, patience: limits };

  function arrive(request: IncomingMessage, response: ServerResponse): void {
    receive(requestVisit(askDeps, request, response), receiveDeps);
  }

  const server = createBoundedServer(limits.headersMs, limits.idleMs)
    .on('request', arrive)
    .on('checkContinue', arrive)
    .on('upgrade', (request, socket, head) => {
      if (!(socket instanceof Socket)) return;
      // Node no longer listens to this socket, and an error that nobody listens to ends the server.
      socket.on('error', () => {});
      tunnels.add(socket);
      socket.on('close', () => tunnels.delete(socket));
      receive(upgradeVisit(askDeps, request, { socket, head }), receiveDeps);
    });

  return {
    routes: {
      set(appId, hosts, route) {
        const app = table.set(appId, hosts, route);
        if (app !== undefined) idleWatch.look(app);
        wakeCalls.routeIs(appId, app?.route);
        holding.release(appId);
      },
      remove(appId) {
        table.remove(appId);
        wakeCalls.routeIs(appId, undefined);
        holding.release(appId);
      },
    },
    listen: () => listen(server, deps.host, deps.port),
    async drained(target, timeoutMs) {
      await use.ended(target, timeoutMs);
      kept.closeIdle(target);
    },
    async stop(timeoutMs = STOP_MS) {
      idleWatch.stop();
      wakeCalls.stop();
      holding.stop();
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
