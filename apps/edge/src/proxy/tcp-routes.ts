import { connect, type Socket } from 'node:net';
import {
  type Clock,
  type StateChange,
  type Target,
  type TcpRoute,
  trustedProxies,
  unmapped,
} from '@longshore/edge-contract';
import { LIMITS } from './limits.ts';
import { linkSockets } from './link-sockets.ts';
import { type UpstreamAddress, upstreamKey } from './upstream.ts';

/** Listens on a port. The sockets are half-open: `allowHalfOpen`. */
export type ListenOnPort = (
  port: number,
  onConnection: (socket: Socket) => void,
) => { close(): void };

/** Forwards the bytes of TCP ports to their targets. */
export type TcpRoutes = {
  /** Takes effect at once. Open connections stay with their target; those of a removed route are closed. */
  apply(change: Pick<StateChange, 'tcpRoutes' | 'removedTcpRoutes'>): void;
  /** Resolves when no connection uses the target any more, or after the timeout. */
  drained(target: UpstreamAddress, timeoutMs: number): Promise<void>;
  /** Stops listening. Open connections stay. */
  stopListening(): void;
  stop(): void;
};

type OpenRoute = {
  route: TcpRoute;
  targetsInUse: TargetsInUse;
  isAllowed: (address: string) => boolean;
  sockets: Set<Socket>;
  turn: number;
  listener: { close(): void };
};

const LINK_LIMITS = { idleMs: 0, halfClosedMs: LIMITS.tcpHalfClosedMs };

type TcpRoutesDeps = { listen: ListenOnPort; clock: Clock };

export function createTcpRoutes({ listen, clock }: TcpRoutesDeps): TcpRoutes {
  const open = new Map<string, OpenRoute>();
  const targetsInUse = createTargetsInUse(clock);

  function set(route: TcpRoute): void {
    const existing = open.get(route.id);
    if (existing !== undefined && existing.route.port !== route.port) close(route.id);
    const current = open.get(route.id);
    if (current !== undefined) {
      current.route = route;
      current.isAllowed = allowedBy(route);
      closeForbidden(current);
      return;
    }
    const opened: OpenRoute = {
      route,
      targetsInUse,
      isAllowed: allowedBy(route),
      sockets: new Set(),
      turn: -1,
      listener: listen(route.port, (socket) => accept(opened, socket)),
    };
    open.set(route.id, opened);
  }

  function close(id: string): void {
    const closed = open.get(id);
    open.delete(id);
    closed?.listener.close();
    for (const socket of closed?.sockets ?? []) socket.destroy();
  }

  return {
    apply({ tcpRoutes = [], removedTcpRoutes = [] }) {
      for (const id of removedTcpRoutes) close(id);
      for (const route of tcpRoutes) set(route);
    },
    drained: targetsInUse.drained,
    stopListening() {
      for (const { listener } of open.values()) listener.close();
    },
    stop() {
      for (const id of [...open.keys()]) close(id);
    },
  };
}

function allowedBy({ allowedIps }: TcpRoute): (address: string) => boolean {
  if (allowedIps === undefined) return () => true;
  return trustedProxies(allowedIps) ?? (() => false);
}

function closeForbidden({ isAllowed, sockets }: OpenRoute): void {
  for (const socket of sockets) {
    if (!isAllowed(unmapped(socket.remoteAddress ?? ''))) socket.destroy();
  }
}

function accept(opened: OpenRoute, socket: Socket): void {
  const { sockets, isAllowed } = opened;
  socket.on('error', () => {});
  const isFull = sockets.size >= LIMITS.tcpConnectionsPerRoute;
  if (isFull || !isAllowed(unmapped(socket.remoteAddress ?? ''))) {
    socket.destroy();
    return;
  }
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
  forward(opened, socket, 0);
}

/** Connects to the next target, and to others if that fails. Nothing is read from the client before. */
function forward(opened: OpenRoute, socket: Socket, attempt: number): void {
  const ready = opened.route.targets.filter(({ state }) => state === 'ready');
  const target = ready[(opened.turn + 1) % ready.length];
  if (target === undefined || attempt >= ready.length || socket.destroyed) {
    socket.destroy();
    return;
  }
  opened.turn = (opened.turn + 1) % ready.length;
  const app = connect({ ...addressOf(target), allowHalfOpen: true, noDelay: true });
  opened.targetsInUse.add(target, app);
  const timer = setTimeout(() => app.destroy(), LIMITS.connectMs);
  const abort = () => app.destroy();
  const retry = () => {
    clearTimeout(timer);
    socket.off('close', abort);
    forward(opened, socket, attempt + 1);
  };
  app.on('error', () => {});
  app.once('close', retry);
  socket.once('close', abort);
  app.once('connect', () => {
    clearTimeout(timer);
    app.off('close', retry);
    // Finds a peer that is gone: databases keep connections silent for hours.
    for (const each of [socket, app]) each.setKeepAlive(true, LIMITS.tcpKeepAliveMs);
    socket.pipe(app);
    app.pipe(socket);
    linkSockets([socket, app], LINK_LIMITS, () => {});
  });
}

type TargetsInUse = Pick<TcpRoutes, 'drained'> & {
  add(target: UpstreamAddress, app: Socket): void;
};

/** The connections to each target. */
function createTargetsInUse(clock: Clock): TargetsInUse {
  const sockets = new Map<string, Set<Socket>>();
  const waiting = new Set<() => void>();

  return {
    add(target, app) {
      const key = upstreamKey(target);
      const ofTarget = sockets.get(key) ?? new Set();
      sockets.set(key, ofTarget.add(app));
      app.on('close', () => {
        ofTarget.delete(app);
        if (ofTarget.size === 0 && sockets.get(key) === ofTarget) sockets.delete(key);
        for (const check of waiting) check();
      });
    },
    drained(target, timeoutMs) {
      const key = upstreamKey(target);
      if (!sockets.has(key)) return Promise.resolve();
      return new Promise((resolve) => {
        const end = () => {
          clock.clearTimeout(timer);
          waiting.delete(check);
          resolve();
        };
        const check = () => {
          if (!sockets.has(key)) end();
        };
        const timer = clock.setTimeout(end, timeoutMs);
        waiting.add(check);
      });
    },
  };
}

function addressOf(target: Target): { host: string; port: number } | { path: string } {
  return 'socket' in target ? { path: target.socket } : { host: target.host, port: target.port };
}
