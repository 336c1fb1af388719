import {
  type Clock,
  type EdgeMessage,
  type ListenerInfo,
  PROTOCOL,
  type ServerMessage,
} from '@longshore/edge-contract';
import type { ControlConnection, Welcome } from './control-connection.ts';

export type EnsureEdgeDeps = {
  connect(onMessage: OnMessage): Promise<ControlConnection | 'absent' | 'hangs' | 'ends'>;
  /** Kills an edge that hangs. Its workers serve on until the next edge is ready. */
  killHanging(): Promise<void>;
  /** Undefined: a service of the machine starts the edge. */
  launch: (() => Promise<void>) | undefined;
  wanted: WantedEdge;
  clock: Clock;
};

/** The edge that this version comes with. */
export type WantedEdge = {
  /** Undefined: any build, because this server cannot replace it. */
  build: string | undefined;
  node: string;
  program: string;
  listeners: ListenerInfo[];
};

type OnMessage = (message: EdgeMessage) => void;

const REPLACE_MS = 30_000;
const STOP_DRAIN_MS = 5_000;
const STOP_MS = 10_000;
const MAX_ATTEMPTS = 6;
/** A busy machine may be slow once. */
const HANGS_BEFORE_KILL = 2;

/** No edge with the wanted listeners runs, and this process may not start one. */
export class EdgeAbsent extends Error {}

/** What to do with a running edge. `restart`: only a new process can listen elsewhere. */
export function edgeAction(
  { protocol, build, listeners }: Pick<Welcome, 'protocol' | 'build' | 'listeners'>,
  wanted: Pick<WantedEdge, 'build' | 'listeners'>,
): 'use' | 'replace' | 'restart' {
  const keyOf = ({ protocol: name, host, port }: ListenerInfo) => `${name} ${host} ${port}`;
  const [running, expected] = [listeners, wanted.listeners].map((it) => it.map(keyOf).toSorted());
  if (String(running) !== String(expected)) return 'restart';
  const isWantedBuild = wanted.build === undefined || build === wanted.build;
  return protocol === PROTOCOL && isWantedBuild ? 'use' : 'replace';
}

/** Connects to an edge with the wanted build and listeners. Starts, replaces or restarts it where needed. */
export async function ensureEdge(
  { connect, killHanging, launch, wanted, clock }: EnsureEdgeDeps,
  onMessage: OnMessage,
  signal: AbortSignal,
): Promise<ControlConnection> {
  let onErrorReport = () => {};
  const receive = (message: EdgeMessage) => {
    if (message.kind === 'report' && message.level === 'error') onErrorReport();
    onMessage(message);
  };
  let hasReplaced = false;
  let hangs = 0;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const found = await connect(receive);
    signal.throwIfAborted();
    if (found === 'hangs') {
      hangs += 1;
      if (hangs >= HANGS_BEFORE_KILL) await killHanging();
      continue;
    }
    if (found === 'ends') continue;
    if (found === 'absent') {
      if (launch === undefined) throw new EdgeAbsent('The edge is not running');
      await launch();
      continue;
    }
    const action = edgeAction(found.welcome, wanted);
    // One that cannot be replaced serves on.
    const isUsable = action === 'replace' && hasReplaced && found.welcome.protocol === PROTOCOL;
    if (action === 'use' || isUsable) return found;
    if (action === 'restart' || hasReplaced) await stop(found);
    else await replace(found);
    hasReplaced = action === 'replace';
  }
  throw new Error('The edge ends right after its start');

  async function stop(running: ControlConnection): Promise<void> {
    if (launch === undefined) {
      running.close();
      throw new EdgeAbsent(otherListenersText(running.welcome.listeners));
    }
    await sendLast(running, { kind: 'stop', drainMs: STOP_DRAIN_MS }, STOP_MS);
  }

  async function replace(running: ControlConnection): Promise<void> {
    const { node, program } = wanted;
    await sendLast(running, { kind: 'replace', node, program }, REPLACE_MS);
  }

  /** Resolves when the edge has closed the connection, has reported an error, or the time is over. */
  async function sendLast(
    running: ControlConnection,
    message: ServerMessage,
    timeoutMs: number,
  ): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = clock.setTimeout(resolve, timeoutMs);
      const end = () => {
        clock.clearTimeout(timer);
        resolve();
      };
      onErrorReport = end;
      void running.closed.then(end);
      running.send(message);
    });
    onErrorReport = () => {};
    running.close();
  }
}

function otherListenersText(running: ListenerInfo[]): string {
  const ports = running.map(({ host, port }) => `${host}:${port}`).join(' and ');
  return `The edge listens on ${ports}, not as configured. Restart its service`;
}
