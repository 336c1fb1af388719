import { setTimeout as delay } from 'node:timers/promises';
import { createSemaphore, type Semaphore } from '../../concurrency/semaphore.ts';
import { createLineSplitter } from '../../processes/line-splitter.ts';
import { openLogPosition } from '../recorded-log-position.ts';
import type { KubernetesDeps } from './deps.ts';
import type { FirstObservations } from './first-observations.ts';
import { appRecords } from './folders.ts';
import { hasStatus, isClusterDown } from './kubernetes-error.ts';
import { LABELS } from './ownership.ts';
import {
  instanceNumber,
  isRunning,
  type Pod,
  restartCount,
  terminatedIn,
  toInstance,
} from './pod.ts';
import { readPod } from './pods.ts';

type LogDeps = Pick<KubernetesDeps, 'api' | 'logs' | 'records'> & {
  firstObservations: Pick<FirstObservations, 'over'>;
};
type CopyDeps = LogDeps & {
  opening: Semaphore;
  urgent: AbortSignal;
  onError(error: unknown): void;
};

/** Copies the lines of pods to the log store, each once, also across restarts of containers, of the server and of the API server. */
export type PodLogs = {
  /** Follows the container of a pod that has a number and has started. `isNew`: this server has just started it. */
  follow(pod: Pod, options?: { isNew: boolean }): void;
  /** For a container that has exited: resolves when its lines are in the log, or after a moment. */
  settle(pod: Pod): Promise<void>;
  /** For a pod that ends: resolves when its lines are in the log, or after a while. */
  finish(pod: Pod): Promise<void>;
  close(): Promise<void>;
};

/**
 * `run`: how often the container was restarted before. `ended` resolves when the lines of that run are in the log. `urgent`: its lines
 * are needed at once.
 */
type Follower = {
  run: number;
  ended: Promise<void>;
  urgent: AbortController;
  stopping: AbortController;
};

const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 5_000;
const ENTRIES_PER_ROOM_CHECK = 32;
const FINISH_TIMEOUT_MS = 5_000;
const SETTLE_MS = 1_000;
/**
 * After a start, the logs of all pods are opened, so many within this time. Those of pods that are being deleted are opened at once,
 * because their lines will be gone, and so are those of new pods, and of containers that have exited, because they say why. A response is not waited
 * for: nodes may send none until a pod prints a line.
 */
const OPENED_AT_ONCE = 64;
const OPENING_MS = 250;
const EVIDENCE_LINES = 10;
const READ_MS = 10_000;
const NEWLINE = 0x0a;
const SPACE = 0x20;
/** One for all logs. A part of a chunk would keep the memory of the chunk. */
const NOTHING: Buffer = Buffer.alloc(0);

export function createPodLogs(deps: LogDeps, onError: (error: unknown) => void): PodLogs {
  const followers = new Map<string, Follower>();
  const opening = createSemaphore(OPENED_AT_ONCE);
  let isClosed = false;

  function follow(pod: Pod, { isNew } = { isNew: false }): void {
    const { uid } = pod.metadata;
    const run = restartCount(pod);
    const previous = followers.get(uid);
    const urgent = previous?.urgent ?? new AbortController();
    if (isNew || pod.metadata.deletionTimestamp !== undefined) urgent.abort();
    if (isClosed || instanceNumber(pod) === undefined || (previous?.run ?? -1) >= run) return;
    const stopping = previous?.stopping ?? new AbortController();
    const ended = (previous?.ended ?? Promise.resolve()).then(() =>
      copyRun(pod, run, { ...deps, opening, urgent: urgent.signal, onError }, stopping.signal),
    );
    followers.set(uid, { run, ended, urgent, stopping });
  }

  return {
    follow,
    async settle(pod) {
      follow(pod);
      const { ended, urgent } = followers.get(pod.metadata.uid) ?? {};
      urgent?.abort();
      await Promise.race([ended, delay(SETTLE_MS, undefined, { ref: false })]);
    },
    async finish({ metadata }) {
      const follower = followers.get(metadata.uid);
      if (follower === undefined) return;
      follower.urgent.abort();
      await Promise.race([follower.ended, delay(FINISH_TIMEOUT_MS, undefined, { ref: false })]);
      follower.stopping.abort();
      await follower.ended;
      followers.delete(metadata.uid);
      // A line that is stored later would bring its position back.
      await deps.logs.flush(metadata.labels[LABELS.app] ?? '');
      await deps.records.remove(positionPath({ metadata }));
    },
    async close() {
      isClosed = true;
      const all = [...followers.values()];
      for (const { stopping } of all) stopping.abort();
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}

/**
 * A stream also ends with the API server, or with the connection to it or to the node: it is opened again until all lines of the
 * run are copied, or the pod is gone. The next run copies the rest of one that has ended before. The first of several errors is
 * reported.
 */
async function copyRun(pod: Pod, run: number, deps: CopyDeps, signal: AbortSignal): Promise<void> {
  let current: Pod | undefined = pod;
  let isFirst = true;
  let hasFailed = false;
  let pauseMs = FIRST_PAUSE_MS;
  while (current !== undefined && restartCount(current) <= run && !signal.aborted) {
    const isOver = hasExited(current);
    const startedAt = performance.now();
    try {
      await copyLines(pod, { isOver, hasPrevious: run > 0 || !isFirst }, deps, signal);
      if (isOver) return;
      hasFailed = false;
    } catch (error) {
      const isMissing = hasStatus(error, 400, 404);
      if (signal.aborted || (isOver && isMissing)) return;
      if (!hasFailed && !isMissing && !isClusterDown(error)) {
        deps.onError(error);
        hasFailed = true;
      }
    }
    isFirst = false;
    const hasLasted = performance.now() - startedAt > LAST_PAUSE_MS;
    pauseMs = hasLasted ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, LAST_PAUSE_MS);
    const known: Pod = current;
    current = await readPod(pod, deps, signal).catch(() => known);
    const hasJustExited = !isOver && current !== undefined && hasExited(current);
    if (current === undefined || hasJustExited) continue;
    await delay(pauseMs, undefined, { signal }).catch(() => {});
  }
}

/** Whether the container does not run any more, or not yet again. */
function hasExited(pod: Pod): boolean {
  return !isRunning(pod) && terminatedIn(pod) !== undefined;
}

/** `isOver`: nothing is added any more. `hasPrevious`: the container may have been restarted since the last line that was copied. */
type CopyOptions = { isOver: boolean; hasPrevious: boolean };

/** What is missing of the run before, then the current one, until the stream ends. */
async function copyLines(
  pod: Pod,
  { isOver, hasPrevious }: CopyOptions,
  deps: CopyDeps,
  signal: AbortSignal,
): Promise<void> {
  const appId = pod.metadata.labels[LABELS.app] ?? '';
  const name = toInstance(pod).logName;
  await waitForTurn(deps, signal);
  const position = await openLogPosition({ appId, path: positionPath(pod) }, deps);
  let copied = 0;
  async function copy(options: LogOptions): Promise<void> {
    const lines = createLineSplitter((line) => deps.logs.append(appId, name, line));
    for await (const { at, bytes } of readLog(pod, options, deps, signal)) {
      if (position.isKnown(at)) continue;
      lines.push(bytes);
      await position.add(at, lines.pendingBytes() === 0);
      copied += 1;
      if (copied % ENTRIES_PER_ROOM_CHECK === 0) await deps.logs.waitForRoom(appId, signal);
    }
    lines.end();
    position.end();
  }
  try {
    const { since } = position;
    if (hasPrevious) await copy({ since, previous: true }).catch(ignoreMissing);
    await copy({ since, ...(isOver ? {} : { follow: true }) });
  } finally {
    await position.close();
  }
}

async function waitForTurn(
  { opening, firstObservations, urgent }: CopyDeps,
  signal: AbortSignal,
): Promise<void> {
  const ended = AbortSignal.any([signal, urgent]);
  try {
    const release = await opening.acquire(ended);
    await firstObservations.over(ended).finally(() => setTimeout(release, OPENING_MS).unref());
  } catch {
    signal.throwIfAborted();
  }
}

/** The node has removed it already. */
function ignoreMissing(error: unknown): void {
  if (!hasStatus(error, 400, 404)) throw error;
}

type LogOptions = { since?: string | undefined; follow?: true; previous?: true; tail?: number };
type LogEntry = { at: string; bytes: Uint8Array };

/**
 * Each line begins with its time. The cluster rounds `since` down to seconds. A stream that follows may end in the middle of a
 * line, which is left to the next one.
 */
export async function* readLog(
  { metadata: { namespace, name } }: Pick<Pod, 'metadata'>,
  { since, tail, ...options }: LogOptions,
  { api }: Pick<LogDeps, 'api'>,
  signal: AbortSignal,
): AsyncGenerator<LogEntry> {
  const query = { ...options, timestamps: true, sinceTime: since, tailLines: tail };
  const path = `/api/v1/namespaces/${namespace}/pods/${name}/log`;
  let pending = NOTHING;
  for await (const chunk of await api.follow(path, { query, signal })) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    for (let end = pending.indexOf(NEWLINE); end !== -1; end = pending.indexOf(NEWLINE)) {
      const entry = entryOf(pending.subarray(0, end + 1));
      if (since === undefined || entry.at >= since) yield entry;
      pending = pending.subarray(end + 1);
    }
    if (pending.length === 0) pending = NOTHING;
  }
  if (pending.length === 0 || options.follow === true) return;
  const last = entryOf(pending);
  if (since === undefined || last.at >= since) yield last;
}

function entryOf(line: Buffer): LogEntry {
  const space = line.indexOf(SPACE);
  return { at: line.toString('latin1', 0, space), bytes: line.subarray(space + 1) };
}

/** The last lines of an instance, as evidence; none when they cannot be read. */
export async function readLastLines(
  pod: Pod,
  deps: Pick<LogDeps, 'api'>,
  signal: AbortSignal,
): Promise<string[]> {
  const found: string[] = [];
  const lines = createLineSplitter((line) => found.push(line));
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(READ_MS)]);
  try {
    for await (const { bytes } of readLog(pod, { tail: EVIDENCE_LINES }, deps, bounded)) {
      lines.push(bytes);
    }
    lines.end();
  } catch {
    signal.throwIfAborted();
  }
  return found.filter((line) => line.trim() !== '');
}

function positionPath(pod: Pick<Pod, 'metadata'>): string {
  const appId = pod.metadata.labels[LABELS.app] ?? '';
  return `${appRecords(appId)}/position-${instanceNumber(pod)}`;
}
