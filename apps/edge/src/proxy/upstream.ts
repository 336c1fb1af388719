import type { Clock, Target } from '@longshore/edge-contract';
import type { BodyBuffers } from './body-buffers.ts';
import { isLost } from './is-lost.ts';
import { LIMITS } from './limits.ts';
import { UpstreamConnection } from './upstream-connection.ts';

/** Where an instance listens, without its state. */
export type UpstreamAddress = { host: string; port: number } | { socket: string };

/** How long a target that did not even refuse a connection is avoided: its machine may be lost, and each request would wait. */
const SILENT_AVOIDED_MS = 10_000;

type UpstreamDeps = { clock: Clock; buffers: BodyBuffers; idleMs: number };

/** An instance of an app: its idle connections and its requests in flight. */
export class Upstream {
  readonly key: string;
  /** For `connect` of node:net. */
  readonly address: { host: string; port: number } | { path: string };
  /** Requests and websockets. */
  inFlight = 0;
  /** Those of `inFlight` that are open websockets. They are idle most of the time, so they take no place of a request. */
  websockets = 0;
  /** It failed, and gets no requests before unless there is no other. */
  avoidedUntil = 0;
  /** The routes that send requests here. Without any, connections are not kept. */
  routes = 0;
  private readonly deps: UpstreamDeps;
  private readonly onUnused: (upstream: Upstream) => void;
  private readonly connections = new Set<UpstreamConnection>();
  private idle: UpstreamConnection[] = [];
  private readonly waiting = new Set<() => void>();

  constructor(target: UpstreamAddress, deps: UpstreamDeps, onUnused: (upstream: Upstream) => void) {
    this.key = upstreamKey(target);
    this.address =
      'socket' in target ? { path: target.socket } : { host: target.host, port: target.port };
    this.deps = deps;
    this.onUnused = onUnused;
  }

  /** The connection that was used last, if it is still open. */
  takeIdle(): UpstreamConnection | undefined {
    const now = this.deps.clock.now();
    for (let next = this.idle.pop(); next !== undefined; next = this.idle.pop()) {
      if (!next.socket.destroyed && now - next.idleSince < next.keepMs) return next;
      next.destroy();
    }
    return undefined;
  }

  open(isUpgrade: boolean, connectMs: number): UpstreamConnection {
    const connection = new UpstreamConnection(this, { ...this.deps, isUpgrade, connectMs });
    this.connections.add(connection);
    return connection;
  }

  /** Other requests avoid it for this time. */
  avoid(forMs: number): void {
    this.avoidedUntil = Math.max(this.avoidedUntil, this.deps.clock.now() + forMs);
  }

  onConnectTimeout(): void {
    this.avoid(SILENT_AVOIDED_MS);
    this.closeIdle();
  }

  keep(connection: UpstreamConnection): void {
    if (this.routes === 0 || this.idle.length >= LIMITS.freeSocketsPerTarget) {
      connection.destroy();
      return;
    }
    connection.idleSince = this.deps.clock.now();
    this.idle.push(connection);
  }

  forget(connection: UpstreamConnection): void {
    this.connections.delete(connection);
    const index = this.idle.indexOf(connection);
    if (index >= 0) this.idle.splice(index, 1);
  }

  /** Must be called when a request that counted in `inFlight` has ended. */
  end(): void {
    this.inFlight -= 1;
    if (this.inFlight > 0) return;
    for (const finish of this.waiting) finish();
    this.onUnused(this);
  }

  /** Resolves when nothing is in flight, or after the timeout. */
  drained(timeoutMs: number): Promise<void> {
    if (this.inFlight === 0) return Promise.resolve();
    const { clock } = this.deps;
    return new Promise((resolve) => {
      const finish = () => {
        clock.clearTimeout(timer);
        this.waiting.delete(finish);
        resolve();
      };
      const timer = clock.setTimeout(finish, timeoutMs);
      this.waiting.add(finish);
    });
  }

  /** It left its routes: its requests finish, unless its machine is lost. Nothing else would end them then. */
  async endIfLost(): Promise<void> {
    if (this.inFlight === 0 || !(await isLost(this.address, LIMITS.connectMs))) return;
    if (this.routes === 0) for (const { socket } of this.connections) socket.destroy();
  }

  /** Closes the connections that have been idle for too long. Returns whether some are left. */
  closeExpired(now: number): boolean {
    for (const connection of [...this.idle]) {
      if (now - connection.idleSince >= connection.keepMs) connection.destroy();
    }
    this.idle = this.idle.filter(({ socket }) => !socket.destroyed);
    return this.idle.length > 0;
  }

  closeIdle(): void {
    for (const connection of this.idle) connection.destroy();
    this.idle = [];
  }
}

/** All instances that have routes or requests. */
export type Upstreams = {
  /** Counts a route to the target. */
  addRoute(target: UpstreamAddress): Upstream;
  removeRoute(upstream: Upstream): void;
  drained(target: UpstreamAddress, timeoutMs: number): Promise<void>;
  stop(): void;
};

export function createUpstreams(deps: UpstreamDeps): Upstreams {
  const { clock } = deps;
  const upstreams = new Map<string, Upstream>();
  let sweep = clock.setTimeout(closeExpired, LIMITS.upstreamKeepAliveMs);

  function closeExpired(): void {
    const now = clock.now();
    for (const upstream of upstreams.values()) upstream.closeExpired(now);
    sweep = clock.setTimeout(closeExpired, LIMITS.upstreamKeepAliveMs);
  }

  function removeUnused(upstream: Upstream): void {
    if (upstream.routes > 0 || upstream.inFlight > 0) return;
    if (upstreams.get(upstream.key) === upstream) upstreams.delete(upstream.key);
  }

  return {
    addRoute(target) {
      const key = upstreamKey(target);
      let upstream = upstreams.get(key);
      if (upstream === undefined) {
        upstream = new Upstream(target, deps, removeUnused);
        upstreams.set(key, upstream);
      }
      upstream.routes += 1;
      return upstream;
    },
    removeRoute(upstream) {
      upstream.routes -= 1;
      if (upstream.routes > 0) return;
      upstream.closeIdle();
      void upstream.endIfLost();
      removeUnused(upstream);
    },
    async drained(target, timeoutMs) {
      const upstream = upstreams.get(upstreamKey(target));
      await upstream?.drained(timeoutMs);
      upstream?.closeIdle();
    },
    stop() {
      clock.clearTimeout(sweep);
      for (const upstream of upstreams.values()) upstream.closeIdle();
    },
  };
}

export function upstreamKey(target: UpstreamAddress | Target): string {
  return 'socket' in target ? target.socket : `${target.host}:${target.port}`;
}
