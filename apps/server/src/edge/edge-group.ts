import type { Clock, EdgeMessage, ListenerInfo } from '@longshore/edge-contract';
import type { Edge, EdgeListener } from './edge.ts';
import { applyChange, emptyState, wholeState } from './edge-state.ts';

export type EdgeGroupDeps = {
  /** The addresses of all edges now. */
  findAddresses(): Promise<string[]>;
  /** The connection to one of them. */
  connectTo(address: string): Edge & { start(): Promise<void> };
  listeners: ListenerInfo[];
  clock: Clock;
  log(level: 'info' | 'warn' | 'error', text: string): void;
};

const LOOK_UP_MS = 2_000;
/** All edges must report an app as idle within this time. */
const IDLE_MS = 2_000;

/**
 * Several edges, such as the pods of a Deployment, as one. Each has the state of all apps. An app is idle if all of them report it at
 * the same time: when one does, the others are asked.
 */
export function createEdgeGroup(deps: EdgeGroupDeps): Edge & { start(): Promise<void> } {
  const { clock, log } = deps;
  const state = emptyState();
  const members = new Map<string, Edge & { start(): Promise<void> }>();
  const handlers: { kind: EdgeMessage['kind']; handle(message: EdgeMessage): void }[] = [];
  const each = (act: (edge: Edge) => void) => {
    for (const edge of members.values()) act(edge);
  };
  const idleApps = new Map<string, { since: number; edges: Set<Edge> }>();
  let isComplete = false;
  let isStopped = false;
  let timer: unknown;
  let looking: Promise<void> = Promise.resolve();
  let isLookUpFailing = false;

  async function lookUp(): Promise<void> {
    try {
      const addresses = await deps.findAddresses();
      isLookUpFailing = false;
      if (!isStopped) await update(new Set(addresses));
    } catch (error) {
      // Those that are known are kept.
      if (!isLookUpFailing) log('warn', `The edges cannot be found: ${String(error)}`);
      isLookUpFailing = true;
    }
    if (!isStopped) timer = clock.setTimeout(lookUpAgain, LOOK_UP_MS);
  }

  function lookUpAgain(): void {
    looking = lookUp();
  }

  async function update(addresses: Set<string>): Promise<void> {
    for (const address of addresses) if (!members.has(address)) add(address);
    for (const [address, edge] of members) {
      // One that ends still finishes requests, so it is kept while it answers.
      if (addresses.has(address) || edge.health() !== undefined) continue;
      members.delete(address);
      await edge.stop();
    }
  }

  function add(address: string): void {
    const edge = deps.connectTo(address);
    edge.change(wholeState(state));
    if (isComplete) edge.complete();
    members.set(address, edge);
    for (const { kind, handle } of handlers) listen(edge, kind, handle);
    // It may be unreachable for long.
    void edge.start().catch((error) => log('error', `${address}: ${String(error)}`));
  }

  function listen(edge: Edge, kind: EdgeMessage['kind'], handle: (message: EdgeMessage) => void) {
    edge.on(kind, (message) => {
      if (message.kind !== 'idle' || isIdle(message.appId, edge)) handle(message);
    });
  }

  function isIdle(appId: string, reporting: Edge): boolean {
    const now = clock.now();
    const known = idleApps.get(appId);
    const isNew = known === undefined || now - known.since > IDLE_MS;
    const { edges, since } = isNew ? { edges: new Set<Edge>(), since: now } : known;
    edges.add(reporting);
    const silent = [...members.values()].filter((edge) => !edges.has(edge));
    if (silent.length === 0) {
      idleApps.delete(appId);
      return true;
    }
    idleApps.set(appId, { edges, since });
    if (isNew) for (const edge of silent) edge.askIdle(appId);
    return false;
  }

  return {
    async start() {
      lookUpAgain();
      await looking;
    },
    change(change) {
      applyChange(state, change);
      each((edge) => edge.change(change));
    },
    async drained(target, timeoutMs) {
      await Promise.all([...members.values()].map((edge) => edge.drained(target, timeoutMs)));
    },
    async applied(timeoutMs) {
      await Promise.all([...members.values()].map((edge) => edge.applied(timeoutMs)));
    },
    askIdle: (appId) => each((edge) => edge.askIdle(appId)),
    refuseWake: (appId) => each((edge) => edge.refuseWake(appId)),
    // Only the edge of this run forgets them.
    countersStored: (run, batch) => each((edge) => edge.countersStored(run, batch)),
    complete() {
      isComplete = true;
      each((edge) => edge.complete());
    },
    on<Kind extends EdgeMessage['kind']>(kind: Kind, listener: EdgeListener<Kind>) {
      const handle = (message: EdgeMessage) => listener(message as never);
      handlers.push({ kind, handle });
      each((edge) => listen(edge, kind, handle));
    },
    listeners: () => deps.listeners,
    health() {
      const connected = [...members.values()].flatMap((edge) => edge.health() ?? []);
      const [first] = connected;
      const workers = connected.reduce((sum, it) => sum + it.workers, 0);
      return first && { build: first.build, workers };
    },
    async stop() {
      isStopped = true;
      clock.clearTimeout(timer);
      await looking;
      await Promise.all([...members.values()].map((edge) => edge.stop()));
    },
  };
}
