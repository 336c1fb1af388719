import { open } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { DEFAULT_PORT } from '@longshore/contract';
import { findMatching } from '../../processes/kill-matching.ts';
import { createLineSplitter } from '../../processes/line-splitter.ts';
import {
  type ListeningSocket,
  listeningSocketsInNamespaceOf,
  listeningSocketsOf,
  listListeningSockets,
} from '../../processes/listening-sockets.ts';
import { forwardPort } from '../../sandbox/network/forward-port.ts';
import type { Address, ReleaseSpec } from '../engine.ts';
import { EngineFailure } from '../failure.ts';
import { createOtherPortFinder, needsForwarding } from '../find-other-port.ts';
import { notListeningFailure } from '../not-listening.ts';
import type { EngineDeps } from './deps.ts';
import { instanceMarks } from './environment.ts';
import {
  addressOf,
  type InstanceRecord,
  isIsolated,
  logNameOf,
  NO_PORT,
} from './instance-record.ts';
import { appLayout } from './layout.ts';
import { selectLeftovers } from './leftovers.ts';
import type { SupervisedInstance } from './supervised-instance.ts';

/** Short intervals first, for apps that start quickly, then longer ones. */
const FIRST_PAUSE_MS = 10;
const LAST_PAUSE_MS = 200;
const PAUSE_GROWTH = 1.1;
const CONNECT_MS = 1_000;
const EVIDENCE_LINES = 10;

/**
 * Waits until the instance has accepted a TCP connection. No HTTP request: websocket-only apps would not respond to one. Returns
 * the port to which the traffic of port 80 is sent.
 */
export async function waitUntilListening(
  spec: ReleaseSpec,
  live: SupervisedInstance,
  deps: EngineDeps,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { appId } = spec;
  const timeoutMs = listenTimeoutMs(spec, deps);
  const until = performance.now() + timeoutMs;
  const forwardIfNeeded = createForwarding(spec, live, deps, signal);
  let found: number | undefined;
  let progress: Progress = 'silent';
  for (let pauseMs = FIRST_PAUSE_MS; performance.now() < until; pauseMs *= PAUSE_GROWTH) {
    signal.throwIfAborted();
    if (live.record().exit !== undefined) throw await exitFailure(appId, live.record(), deps);
    const before = progress;
    progress = await progressOf(before, { appId, record: live.record(), deps });
    if (progress === 'accepted') return found;
    if (progress === 'silent') found = (await forwardIfNeeded()) ?? found;
    else if (before === 'silent') pauseMs = FIRST_PAUSE_MS;
    const pause = delay(Math.min(pauseMs, LAST_PAUSE_MS), undefined, { signal });
    await Promise.race([live.exitRecorded, pause]);
  }
  // It may load for longer.
  if (progress === 'connected') return found;
  throw await timeoutFailure(appId, live.record(), { deps, timeoutMs });
}

function listenTimeoutMs({ graceSeconds }: ReleaseSpec, { limits }: EngineDeps): number {
  return graceSeconds === undefined ? limits.listenTimeoutMs : graceSeconds * 1_000;
}

/**
 * An isolated app that listens only on 127.0.0.1 gets the connections to its address there: on the machine's network it was
 * reachable. Port 80, the default, counts as not chosen: connections to it go to the port that the app listens on.
 */
function createForwarding(
  spec: ReleaseSpec,
  live: SupervisedInstance,
  deps: EngineDeps,
  signal: AbortSignal,
): () => Promise<number | undefined> {
  let isForwarded = false;
  const findOtherPort = createOtherPortFinder(() => performance.now());
  return async () => {
    const record = live.record();
    const { process, port } = record;
    if (isForwarded || !isIsolated(record) || process === undefined) return undefined;
    const sockets = ownSockets(record) ?? [];
    const onPort = sockets.filter((socket) => socket.port === port);
    if (onPort.length > 0) {
      if (!needsForwarding(onPort)) return undefined;
      await forwardPort(process.pid, { port, to: port, isLoopback: true }, signal);
      isForwarded = true;
    } else if (port === DEFAULT_PORT) {
      const found = findOtherPort(sockets);
      if (found === undefined) return undefined;
      await forwardPort(
        process.pid,
        { port, to: found.port, isLoopback: found.isLoopback },
        signal,
      );
      isForwarded = true;
      const line = `The app listens on port ${found.port}, so its traffic is sent there`;
      deps.logs.append(spec.appId, logNameOf(spec.appId, record), line);
      return found.port;
    }
    return undefined;
  };
}

type Progress = 'silent' | 'connected' | 'accepted';

/**
 * The kernel completes connections as soon as a program listens. Some programs listen first and load the app then, or fail to
 * (gunicorn), so the connection must also have left the queue of the socket. One connection shows that; more would fill it.
 */
async function progressOf(
  before: Progress,
  { appId, record, deps }: { appId: string; record: InstanceRecord; deps: EngineDeps },
): Promise<Progress> {
  if (record.port === NO_PORT) return 'accepted';
  if (before === 'silent' && !(await acceptsConnection(addressOf(record)))) return 'silent';
  const sockets = socketsToWatch(appId, record, deps);
  if (sockets === undefined) return 'accepted';
  if (sockets.length === 0) return 'silent';
  return sockets.every(({ waiting }) => waiting === 0) ? 'accepted' : 'connected';
}

/** On the machine's loopback the socket must belong to the app's user: another program may have taken the port. */
function socketsToWatch(
  appId: string,
  record: InstanceRecord,
  deps: EngineDeps,
): ListeningSocket[] | undefined {
  if (isIsolated(record)) return ownSockets(record) ?? [];
  const uid = deps.identities.find(appId)?.uid;
  if (uid === undefined) return undefined;
  return listListeningSockets().filter((it) => it.port === record.port && it.uid === uid);
}

function acceptsConnection({ host, port }: Address): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_MS });
    const settle = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
    socket.once('timeout', () => settle(false));
  });
}

async function exitFailure(
  appId: string,
  record: InstanceRecord,
  deps: EngineDeps,
): Promise<EngineFailure> {
  const { output } = appLayout(deps.dataDir, appId).instance(record.id);
  const lines = await readLastLines(output, EVIDENCE_LINES);
  const reason = record.exit?.isOutOfMemory === true ? 'out-of-memory' : 'app-exited';
  return new EngineFailure(reason, exitEvidence(record.exit, lines));
}

async function timeoutFailure(
  appId: string,
  record: InstanceRecord,
  { deps, timeoutMs }: { deps: EngineDeps; timeoutMs: number },
): Promise<EngineFailure> {
  const { output } = appLayout(deps.dataDir, appId).instance(record.id);
  const waitedSeconds = Math.round(timeoutMs / 1000);
  const lines = await readLastLines(output, EVIDENCE_LINES);
  const { port } = record;
  if (isIsolated(record)) {
    const listening = ownSockets(record);
    return notListeningFailure({ port, waitedSeconds, listening, isLoopbackReached: true, lines });
  }
  const listening = listeningSocketsOfInstance(appId, record, deps);
  return assignedPortFailure({ port, waitedSeconds, listening, lines });
}

/** The listening sockets in the network of an isolated instance. */
function ownSockets({ process }: InstanceRecord): ListeningSocket[] | undefined {
  return process && listeningSocketsInNamespaceOf(process.pid);
}

function listeningSocketsOfInstance(
  appId: string,
  record: InstanceRecord,
  deps: EngineDeps,
): ListeningSocket[] {
  const identity = deps.identities.find(appId);
  const target = selectLeftovers({ identity, marks: instanceMarks(appId, record), isAlone: false });
  return listeningSocketsOf(findMatching(target).map(({ pid }) => pid));
}

/** How an instance exited, and its last output. */
function exitEvidence(
  exit: { code?: number | undefined; signal?: string | undefined } | undefined,
  lines: string[],
): string[] {
  return [describeExit(exit), ...lines];
}

function describeExit(
  exit: { code?: number | undefined; signal?: string | undefined } | undefined,
): string {
  if (exit?.signal !== undefined) return `Killed by ${exit.signal}`;
  if (exit?.code !== undefined) return `Exit code ${exit.code}`;
  return 'Exit code unknown: the app exited while the server was not running';
}

type AssignedPort = {
  port: number;
  waitedSeconds: number;
  listening: Pick<ListeningSocket, 'host' | 'port'>[];
  lines: string[];
};

/** The port that the app was given in PORT, and the sockets that it listens on instead. */
function assignedPortFailure({
  port,
  waitedSeconds,
  listening,
  lines,
}: AssignedPort): EngineFailure {
  const addresses = listening.map((listener) => `${listener.host}:${listener.port}`);
  const isElsewhere = addresses.length > 0 && !listening.some((listener) => listener.port === port);
  return new EngineFailure(isElsewhere ? 'listens-elsewhere' : 'port-never-answered', [
    `No connection on port ${port}, the value of PORT, within ${waitedSeconds} s`,
    addresses.length === 0
      ? 'The app does not listen on any port'
      : `The app listens on ${addresses.join(', ')}`,
    ...lines,
  ]);
}

const MAX_READ_BYTES = 65_536;

/** The last lines of an output file; none when the file does not exist. */
export async function readLastLines(path: string, count: number): Promise<string[]> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return [];
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - MAX_READ_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    const found: string[] = [];
    const lines = createLineSplitter((line) => found.push(line));
    lines.push(buffer.subarray(0, bytesRead));
    lines.end();
    return found.filter((line) => line.trim() !== '').slice(-count);
  } finally {
    await file.close();
  }
}
