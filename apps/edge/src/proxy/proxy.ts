import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  type Clock,
  type IsTrustedProxy,
  type StateChange,
  trustedProxies,
} from '@longshore/edge-contract';
import { createBodyBuffers } from './body-buffers.ts';
import { createHeldRequests } from './held-requests.ts';
import { LIMITS, type ProxyLimits } from './limits.ts';
import type { EndedRequest } from './request-facts.ts';
import { createRouteTable, type RoutedApp } from './route-table.ts';
import { createUploadWatch } from './upload-watch.ts';
import { createUpstreams, type UpstreamAddress } from './upstream.ts';
import { type Decide, type Intercept, Visit, type VisitDeps } from './visit.ts';
import type { VisitorConnection } from './visitor-connection.ts';
import { VisitorResponse } from './visitor-response.ts';
import { createWakeRequests } from './wake-requests.ts';

export type { VisitorConnection } from './visitor-connection.ts';

export type ProxyDeps = {
  clock: Clock;
  /** Used until `apply` brings settings. */
  isTrustedProxy?: IsTrustedProxy | undefined;
  limits?: Partial<ProxyLimits>;
  /** A request for a hibernated app arrived. It is held until the route changes, or `wakeRefused` is called. */
  onWake(appId: string): void;
  /** Called for each request and websocket when it has ended. */
  onRequestEnd?(ended: EndedRequest): void;
  /** Called for each request, before anything else: an undefined result means that it goes on as usual. */
  intercept?: Intercept;
  /** Called for each request of an app that has settings. Undefined: forward the request. */
  decide?: Decide;
};

/** The data plane of a worker: routes requests and websockets of visitors to apps by host name. */
export type EdgeProxy = {
  /** For requests over HTTP/1.1, TLS, and HTTP/2 (the objects of Node's compatibility API). */
  handle(request: IncomingMessage, response: ServerResponse, connection: VisitorConnection): void;
  /** For websocket handshakes over HTTP/1.1, plain or TLS. */
  handleUpgrade(
    request: IncomingMessage,
    tunnel: { socket: Socket; head: Buffer },
    connection: VisitorConnection,
  ): void;
  /** Takes effect at once. Requests in flight are not affected, held ones are routed again. */
  apply(change: StateChange): void;
  isTrustedProxy(address: string): boolean;
  /** The app that a host, as sent in a request, belongs to. */
  appOf(host: string): RoutedApp | undefined;
  /** Resolves when no request or websocket uses the target any more, or after the timeout. */
  drained(target: UpstreamAddress, timeoutMs: number): Promise<void>;
  /** The app may not wake now: its held requests get an error. */
  wakeRefused(appId: string): void;
  /** The apps with their open requests and their last activity, for the detection of idle apps. */
  activity(): Iterable<RoutedApp>;
  /** Ends held requests, and websockets after what was sent on them. Call before the servers are stopped. */
  beginStop(): void;
  /** Closes all connections that are left. */
  stop(): void;
};

export function createProxy(deps: ProxyDeps): EdgeProxy {
  const { clock } = deps;
  const limits: ProxyLimits = { ...LIMITS, ...deps.limits };
  const { idleMs } = limits;
  const upstreams = createUpstreams({ clock, buffers: createBodyBuffers(), idleMs });
  const routes = createRouteTable({ clock, upstreams });
  const websockets = new Set<Socket>();
  const heldRequests = createHeldRequests({ clock, ...limits });
  const wakeRequests = createWakeRequests({ clock, ...limits, wake: deps.onWake });
  const uploads = createUploadWatch(clock);
  let isTrustedProxy: IsTrustedProxy = deps.isTrustedProxy ?? (() => false);
  const visitDeps: VisitDeps = {
    clock,
    limits,
    routes,
    heldRequests,
    wakeRequests,
    uploads,
    isTrustedProxy: (address) => isTrustedProxy(address),
    intercept: deps.intercept,
    decide: deps.decide,
    onRequestEnd: deps.onRequestEnd,
  };

  return {
    handle(request, response, connection) {
      new Visit(visitDeps, request, response, connection).start();
    },
    handleUpgrade(request, tunnel, connection) {
      const { socket } = tunnel;
      // Node removes its own listeners on upgrade, and an 'error' event without a listener would crash the process.
      socket.on('error', () => {});
      websockets.add(socket);
      socket.on('close', () => websockets.delete(socket));
      const response = handshakeResponse(request, socket);
      new Visit(visitDeps, request, response, connection, tunnel).start();
    },
    apply({ settings, routes: changed = [], removedApps = [] }) {
      if (settings !== undefined) {
        const { trustedProxies: networks, appNetworks } = settings;
        isTrustedProxy = trustedProxies(networks, appNetworks) ?? (() => false);
      }
      for (const appId of removedApps) {
        routes.remove(appId);
        wakeRequests.routeChanged(appId, undefined);
        heldRequests.retryAll(appId);
      }
      for (const route of changed) {
        const app = routes.set(route);
        wakeRequests.routeChanged(route.appId, app?.state);
        heldRequests.retryAll(route.appId);
      }
    },
    isTrustedProxy: (address) => isTrustedProxy(address),
    appOf: routes.lookup,
    drained: upstreams.drained,
    wakeRefused(appId) {
      wakeRequests.refused(appId);
      heldRequests.failAll(appId, 'cannot-wake');
    },
    activity: routes.apps,
    beginStop() {
      wakeRequests.stop();
      heldRequests.stop();
      for (const socket of websockets) socket.destroySoon();
    },
    stop() {
      for (const socket of websockets) socket.destroy();
      uploads.stop();
      upstreams.stop();
    },
  };
}

/** For a failed handshake; it closes the connection. Node creates no response for upgrade requests. */
function handshakeResponse(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new VisitorResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.on('finish', () => socket.destroySoon());
  return response;
}
