import { performance } from 'node:perf_hooks';
import {
  type Address,
  type Clock,
  CONSOLE_ID,
  createMemoryReducer,
  type MemoryReducerDeps,
  type StateChange,
  systemClock,
} from '@longshore/edge-contract';
import { createAccessLog } from '../access/access-log.ts';
import { createPolicies } from '../policy/create-policies.ts';
import { LIMITS } from '../proxy/limits.ts';
import { createProxy } from '../proxy/proxy.ts';
import { createTcpRoutes } from '../proxy/tcp-routes.ts';
import { createCertificateStore } from '../tls/certificate-store.ts';
import { createEntrance } from '../tls/entrance.ts';
import { createHttpsRules } from '../tls/https-rules.ts';
import { CONTEXT_OPTIONS } from '../tls/tls-server.ts';
import { createPortServers } from './port-servers.ts';
import { createSlotServers } from './slot-servers.ts';
import type { KeeperToWorker, WorkerToKeeper } from './worker-messages.ts';

export type WorkerDeps = {
  clock: Clock;
  memory: MemoryReducerDeps;
  send(message: WorkerToKeeper): void;
};

export type EdgeWorker = {
  receive(message: KeeperToWorker): Promise<void>;
  /** Resolves when the last connection has ended, or after `drainMs`. Without it, websockets stay open. */
  stop(drainMs?: number | undefined): Promise<void>;
};

/** Visitors that reuse a connection have this long to send one more request; its response announces the end. */
const LAST_REQUEST_MS = 2_000;
const IDLE_SWEEP_MS = 250;
/** Before the end of the time to drain, websockets are closed in an orderly way. */
const CLOSE_WEBSOCKETS_MS = 500;

export function createEdgeWorker({ clock, memory, send }: WorkerDeps): EdgeWorker {
  const accessLog = createAccessLog({
    clock: systemClock,
    elapsed: clock,
    send: (report) => send({ kind: 'access', report }),
  });
  const certificates = createCertificateStore({
    contextOptions: CONTEXT_OPTIONS,
    onInvalidCertificate({ names }, error) {
      const text = `The certificate for ${names.join(', ')} cannot be used: ${error}`;
      send({ kind: 'report', level: 'error', text });
    },
  });
  const httpsRules = createHttpsRules(certificates);
  const proxy = createProxy({
    clock,
    onWake: (appId) => send({ kind: 'wake', appId }),
    onRequestEnd(ended) {
      // The server itself logs the requests of the console.
      if (ended.appId !== CONSOLE_ID) accessLog.record(ended);
    },
    intercept: httpsRules.respond,
    decide: createPolicies({ clock }).decide,
  });
  const ports = createPortServers({
    clock,
    report: (text) => send({ kind: 'report', level: 'error', text }),
  });
  const tcpRoutes = createTcpRoutes({ listen: ports.listen, clock });
  const entrance = createEntrance({ proxy, certificates, clock });
  const slots = createSlotServers(
    {
      http: (socket) => entrance.accept(socket, 'http'),
      https: (socket) => entrance.accept(socket, 'https'),
    },
    LIMITS.acceptedConnections,
  );
  const memoryReducer = createMemoryReducer(memory);
  let readyAt = clock.now();
  let loop = performance.eventLoopUtilization();

  /** What one part cannot apply must not keep the others from serving. */
  function apply(change: StateChange): void {
    for (const part of [certificates, httpsRules, entrance, proxy, tcpRoutes]) {
      try {
        part.apply(change);
      } catch (error) {
        const text = `The edge cannot apply a part of its state: ${String(error)}`;
        send({ kind: 'report', level: 'error', text });
      }
    }
  }

  function utilization(): number {
    const current = performance.eventLoopUtilization();
    const since = performance.eventLoopUtilization(current, loop);
    loop = current;
    return since.utilization;
  }

  /** Of the apps that had traffic since this worker started. */
  function quietMs(): Record<string, number> {
    const now = clock.now();
    const active = [...proxy.activity()].filter(
      ({ openRequests, lastActiveAt }) => openRequests > 0 || lastActiveAt > readyAt,
    );
    return Object.fromEntries(
      active.map(({ id, openRequests, lastActiveAt }) => [
        id,
        openRequests > 0 ? 0 : now - lastActiveAt,
      ]),
    );
  }

  async function drained(target: Address, timeoutMs: number): Promise<void> {
    await Promise.all([proxy.drained(target, timeoutMs), tcpRoutes.drained(target, timeoutMs)]);
  }

  async function stop(drainMs?: number | undefined): Promise<void> {
    tcpRoutes.stopListening();
    const ended = Promise.all([slots.close(), ports.closed()]);
    entrance.announceEnd();
    let sweepTimer = clock.setTimeout(sweep, LAST_REQUEST_MS);
    function sweep(): void {
      entrance.closeIdle();
      sweepTimer = clock.setTimeout(sweep, IDLE_SWEEP_MS);
    }
    const timers: unknown[] = [];
    const timeout = new Promise<void>((resolve) => {
      if (drainMs === undefined) return;
      const websocketsMs = Math.max(0, drainMs - CLOSE_WEBSOCKETS_MS);
      timers.push(clock.setTimeout(() => proxy.beginStop(), websocketsMs));
      timers.push(clock.setTimeout(resolve, drainMs));
    });
    await Promise.race([ended, timeout]);
    for (const timer of [...timers, sweepTimer]) clock.clearTimeout(timer);
    proxy.stop();
    tcpRoutes.stop();
    // Connections that were closed just now are recorded in the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    accessLog.flush();
    send({ kind: 'last-activity', quietMs: quietMs() });
  }

  return {
    stop,
    async receive(message) {
      switch (message.kind) {
        case 'start':
          entrance.setTicketKeys(Buffer.from(message.ticketKeys, 'base64'));
          apply(message.state);
          readyAt = clock.now();
          await slots.listen(message.descriptors);
          send({ kind: 'listening' });
          break;
        case 'change':
          apply(message.change);
          send({ kind: 'applied', id: message.id });
          break;
        case 'ticket-keys':
          entrance.setTicketKeys(Buffer.from(message.ticketKeys, 'base64'));
          break;
        case 'drain':
          await drained(message.target, message.timeoutMs);
          send({ kind: 'drained', id: message.id });
          break;
        case 'wake-refused':
          proxy.wakeRefused(message.appId);
          break;
        case 'release':
          slots.release(message.slots);
          break;
        case 'ask-activity':
          send({ kind: 'activity', id: message.id, quietMs: quietMs() });
          break;
        case 'ping': {
          const busy = utilization();
          send({ kind: 'pong', utilization: busy });
          memoryReducer.check(busy);
          break;
        }
        case 'stop':
          await stop(message.drainMs);
          break;
      }
    },
  };
}
