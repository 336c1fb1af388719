import {
  type Address,
  type EdgeMessage,
  isSendable,
  type StateChange,
} from '@longshore/edge-contract';
import type { ControlConnection } from './control-connection.ts';
import type { Edge, EdgeListener } from './edge.ts';
import { applyChange, emptyState, inBatches, wholeState } from './edge-state.ts';
import { EdgeAbsent, type EnsureEdgeDeps, ensureEdge } from './ensure-edge.ts';
import { type Heartbeat, startHeartbeat } from './heartbeat.ts';

export type EdgeClientDeps = EnsureEdgeDeps & {
  log(level: 'info' | 'warn' | 'error', text: string): void;
};

type Drain = { target: Address; until: number; done(): void };

const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;
/** Beyond the timeout of a drain, which the edge observes too. */
const DRAIN_GRACE_MS = 1_000;

/** Nothing is ever sent there. */
const NO_TARGET: Address = { host: '0.0.0.0', port: 1 };

/** Grows with each failure in a row. */
export function pauseMs(failures: number): number {
  return Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** (failures - 1));
}

/**
 * Keeps a connection to the edge, and starts or replaces the edge where needed. The state is kept here as well: changes
 * while there is no connection are sent with the next one.
 */
export function createEdgeClient(deps: EdgeClientDeps): Edge & { start(): Promise<void> } {
  const { clock, wanted, log } = deps;
  const state = emptyState();
  const handlers = new Map<EdgeMessage['kind'], Set<(message: never) => void>>();
  const drains = new Map<number, Drain>();
  const stopping = new AbortController();
  let connection: ControlConnection | undefined;
  let heartbeat: Heartbeat | undefined;
  let workers = 0;
  let listeners = wanted.listeners;
  let isComplete = false;
  let isUnreachable = false;
  let drainCount = 0;
  let connecting: Promise<void> | undefined;

  function receive(message: EdgeMessage): void {
    heartbeat?.answered();
    if (message.kind === 'drained') drains.get(message.id)?.done();
    if (message.kind === 'report') log(message.level, `edge: ${message.text}`);
    if (message.kind === 'workers') workers = message.running;
    for (const handle of handlers.get(message.kind) ?? []) handle(message as never);
  }

  /** Sends all state. Without `complete`, the edge keeps what it knows beside it. */
  function synchronize(opened: ControlConnection): void {
    connection = opened;
    isUnreachable = false;
    ({ listeners } = opened.welcome);
    opened.send({ kind: 'sync', phase: 'begin' });
    for (const change of inBatches(wholeState(state))) opened.send({ kind: 'change', change });
    if (isComplete) opened.send({ kind: 'sync', phase: 'end' });
    for (const [id, drain] of drains) sendDrain(id, drain);
  }

  function sendDrain(id: number, { target, until }: Drain): void {
    const timeoutMs = Math.max(0, Math.round(until - clock.now()));
    connection?.send({ kind: 'drain', id, target, timeoutMs });
  }

  /** Until `stop`: connects again whenever the connection is lost. */
  async function keepConnected(first: ControlConnection | undefined): Promise<void> {
    let next = first;
    for (let failures = 0; !stopping.signal.aborted; ) {
      try {
        next ??= await ensureEdge(deps, receive, stopping.signal);
        synchronize(next);
        failures = 0;
        const reason = await closedOrSilent(next);
        if (!stopping.signal.aborted) log('warn', `Lost the connection to the edge: ${reason}`);
      } catch (error) {
        if (stopping.signal.aborted) return;
        failures += 1;
        isUnreachable = true;
        if (failures === 1) log('error', `The edge cannot be reached: ${textOf(error)}`);
        await pause(pauseMs(failures));
      }
      next = undefined;
      connection = undefined;
    }
  }

  async function closedOrSilent(opened: ControlConnection): Promise<string> {
    let isSilent = false;
    heartbeat = startHeartbeat({
      clock,
      ping: () => opened.send({ kind: 'ping' }),
      onSilent() {
        isSilent = true;
        opened.close();
      },
    });
    const reason = await opened.closed;
    heartbeat.stop();
    return isSilent ? 'it does not answer' : reason;
  }

  async function pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = clock.setTimeout(resolve, ms);
      stopping.signal.addEventListener('abort', () => {
        clock.clearTimeout(timer);
        resolve();
      });
    });
  }

  function drained(target: Address, timeoutMs: number): Promise<void> {
    const id = ++drainCount;
    return new Promise((resolve) => {
      const done = () => {
        clock.clearTimeout(timer);
        drains.delete(id);
        resolve();
      };
      const timer = clock.setTimeout(done, timeoutMs + DRAIN_GRACE_MS);
      const drain = { target, until: clock.now() + timeoutMs, done };
      drains.set(id, drain);
      sendDrain(id, drain);
    });
  }

  function push(change: StateChange | undefined): void {
    if (change === undefined || connection === undefined) return;
    for (const part of inBatches(change)) connection.send({ kind: 'change', change: part });
  }

  return {
    async start() {
      const first = await ensureEdge(deps, receive, stopping.signal).catch((error) => {
        if (error instanceof EdgeAbsent) return undefined;
        throw error;
      });
      connecting = keepConnected(first);
    },
    change: (change) => push(applyChange(state, sendableParts(change, log))),
    drained,
    // The edge answers in order: a drain of an unused address ends when all of its workers have the changes before it.
    // One that cannot be reached gets the whole state with its next connection.
    applied: async (timeoutMs) => {
      if (!isUnreachable) await drained(NO_TARGET, timeoutMs);
    },
    askIdle(appId) {
      if (connection?.welcome.answersAskIdle) connection.send({ kind: 'ask-idle', appId });
    },
    refuseWake: (appId) => connection?.send({ kind: 'wake-refused', appId }),
    countersStored: (run, batch) => connection?.send({ kind: 'counters-stored', run, batch }),
    complete() {
      if (isComplete) return;
      isComplete = true;
      connection?.send({ kind: 'sync', phase: 'end' });
    },
    on<Kind extends EdgeMessage['kind']>(kind: Kind, listener: EdgeListener<Kind>) {
      handlers.set(kind, (handlers.get(kind) ?? new Set()).add(listener));
    },
    listeners: () => listeners,
    health: () => connection && { build: connection.welcome.build, workers },
    async stop() {
      stopping.abort();
      connection?.close();
      for (const { done } of drains.values()) done();
      await connecting;
    },
  };
}

/** One entry that the edge refuses would end the connection, again and again: nothing else could change any more. */
function sendableParts(change: StateChange, log: EdgeClientDeps['log']): StateChange {
  if (isSendable(change)) return change;
  const parts: StateChange = { ...change };
  for (const kind of ['routes', 'newRoutes', 'tcpRoutes', 'certificates'] as const) {
    const entries: NonNullable<StateChange[typeof kind]> = change[kind] ?? [];
    if (entries.length === 0) continue;
    const sendable = entries.filter((entry) => isSendable({ [kind]: [entry] }));
    Object.assign(parts, { [kind]: sendable });
    for (const entry of entries.filter((it) => !sendable.includes(it as never))) {
      const name = 'appId' in entry ? `app ${entry.appId}` : `${kind} ${entry.id}`;
      log(
        'error',
        `The settings of ${name} are too large or invalid for the edge. They are not used.`,
      );
    }
  }
  return parts;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
