import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Address } from '../engines/engine.ts';
import type { Clock } from '../schedule/clock.ts';
import { trustedProxies } from './client-address.ts';
import { createHeldRequests } from './held-requests.ts';
import { createIngressServer, listen, stopServer } from './http-server.ts';
import { createIdleDetector } from './idle-detector.ts';
import { createInFlightRequests } from './in-flight-requests.ts';
import { inboundHttp, inboundWebsocket } from './inbound-request.ts';
import { LIMITS } from './limits.ts';
import { type RouteRequestDeps, routeRequest } from './route-request.ts';
import { createRouteTable, type Route } from './route-table.ts';
import { KeepAliveAgent } from './upstream-connections.ts';
import type { UpstreamDeps } from './upstream-request.ts';
import { createWakeRequests } from './wake-requests.ts';

const STOP_MS = 10_000;

export type IngressDeps = {
  host: string;
  /** 0 picks a free one. */
  port: number;
  /** Addresses and networks of proxies whose X-Forwarded-* headers are trusted. */
  trustedProxies: readonly string[];
  clock: Clock;
  /** Called when a request for a hibernated app arrives. The request is held, unless the app may not wake now. */
  wake(appId: string): Promise<'done' | 'refused'>;
  /** Called when an app had no traffic for its `sleepAfterMs`. */
  hibernate(appId: string): Promise<void>;
  logError(error: unknown, appId: string): void;
  limits?: Partial<IngressLimits>;
};

export type IngressLimits = Record<
  | 'headersMs'
  | 'idleMs'
  | 'inFlightPerTarget'
  | 'pageHoldMs'
  | 'holdMs'
  | 'heldPerApp'
  | 'heldTotal'
  | 'concurrentWakes'
  | 'wakeTimeoutMs',
  number
>;

/** The reverse proxy in front of the apps. Routes requests and websockets by host name. */
export type Ingress = {
  routes: Routes;
  listen(): Promise<{ port: number }>;
  /** Resolves when no request or websocket uses the target any more, or after the timeout. */
  drained(target: Address, timeoutMs: number): Promise<void>;
  /** Accepts no more requests, lets those in flight finish within the timeout, then closes their connections. */
  stop(timeoutMs?: number): Promise<void>;
};

/** The routes of the apps. After each change, held requests are routed again. */
export type Routes = {
  set(appId: string, hosts: string[], route: Route): void;
  remove(appId: string): void;
};

export function createIngress(deps: IngressDeps): Ingress {
  const { clock, logError } = deps;
  const limits: IngressLimits = { ...LIMITS, ...deps.limits };
  const { headersMs, idleMs, inFlightPerTarget } = limits;
  const { pageHoldMs, holdMs, heldPerApp, heldTotal, concurrentWakes, wakeTimeoutMs } = limits;
  const table = createRouteTable({ clock });
  const inFlight = createInFlightRequests();
  const keepAliveAgent = new KeepAliveAgent();
  const websockets = new Set<Socket>();
  const heldRequests = createHeldRequests({ clock, heldPerApp, heldTotal });
  const wakeRequests = createWakeRequests({
    clock,
    wake: deps.wake,
    onRefused: (appId) => heldRequests.failAll(appId, 'cannot-wake'),
    concurrentWakes,
    wakeTimeoutMs,
    logError,
  });
  const idleDetector = createIdleDetector({
    clock,
    apps: table.apps,
    onIdle: (appId) => void deps.hibernate(appId).catch((error) => logError(error, appId)),
  });
  let requestCount = 0;
  const upstreamDeps: UpstreamDeps = {
    keepAliveAgent,
    inFlight,
    inFlightPerTarget,
    isTrustedProxy: trustedProxies(deps.trustedProxies),
    nextRequestNumber: () => requestCount++,
  };
  const routeDeps: RouteRequestDeps = {
    clock,
    routes: table,
    heldRequests,
    wakeRequests,
    holdTimeouts: { pageHoldMs, holdMs },
  };

  function handleRequest(request: IncomingMessage, response: ServerResponse): void {
    routeRequest(inboundHttp(upstreamDeps, request, response), routeDeps);
  }

  const server = createIngressServer({ headersMs, idleMs })
    .on('request', handleRequest)
    .on('checkContinue', handleRequest)
    .on('upgrade', (request, socket, head) => {
      if (!(socket instanceof Socket)) return;
      // Node removes its own listeners on upgrade, and an 'error' event without a listener would crash the server.
      socket.on('error', () => {});
      websockets.add(socket);
      socket.on('close', () => websockets.delete(socket));
      routeRequest(inboundWebsocket(upstreamDeps, request, { socket, head }), routeDeps);
    });

  return {
    routes: {
      set(appId, hosts, route) {
        const app = table.set(appId, hosts, route);
        if (app !== undefined) idleDetector.routeChanged(app);
        wakeRequests.routeChanged(appId, app?.route);
        heldRequests.retryAll(appId);
      },
      remove(appId) {
        table.remove(appId);
        wakeRequests.routeChanged(appId, undefined);
        heldRequests.retryAll(appId);
      },
    },
    listen: () => listen(server, deps.host, deps.port),
    async drained(target, timeoutMs) {
      await inFlight.drained(target, timeoutMs);
      keepAliveAgent.closeIdle(target);
    },
    async stop(timeoutMs = STOP_MS) {
      idleDetector.stop();
      wakeRequests.stop();
      heldRequests.stop();
      for (const socket of websockets) socket.destroySoon();
      await stopServer(server, timeoutMs, () => {
        for (const socket of websockets) socket.destroy();
      });
      keepAliveAgent.destroy();
    },
  };
}
