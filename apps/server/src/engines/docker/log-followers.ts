import { setTimeout as delay } from 'node:timers/promises';
import { instanceLogName } from '@longshore/contract';
import { createDiskRecords } from '../disk-records.ts';
import type { EngineRecords } from '../engine-records.ts';
import { openLogPosition } from '../recorded-log-position.ts';
import { createContainerLineSplitter } from './container-lines.ts';
import { readLogEntries } from './container-logs.ts';
import type { DockerDeps } from './deps.ts';
import { hasStatus, isEngineDown } from './docker-error.ts';
import { appFolder } from './folders.ts';
import { createRepeatDetector } from './repeat-detector.ts';
import {
  createStreamProgress,
  STREAM_TIMING,
  type StreamProgress,
  type StreamTiming,
} from './stream-progress.ts';

/** `process`: undefined for `web`. */
export type LogSource = {
  id: string;
  appId: string;
  instance: string;
  process?: string | undefined;
};

/** Copies the lines of containers to the log store, each once, also across restarts of the server. */
export type LogFollowers = {
  /** Follows a container until it exits; called again after a restart of the container. */
  follow(container: LogSource): void;
  /** For an exited container: resolves when all its lines are in the log. */
  finish(container: LogSource): Promise<void>;
  /** Stops following permanently and removes the stored position. */
  remove(container: LogSource): Promise<void>;
  close(): Promise<void>;
};

/** `hung` aborts only the current stream: the next one continues after it. */
type Follower = {
  container: LogSource;
  progress: StreamProgress;
  ended: Promise<void>;
  stopping: AbortController;
  hung: AbortController;
};

/** An entry is at most 16 KiB, so this many fit into the buffer. */
const ENTRIES_PER_ROOM_CHECK = 32;

/** The app wrote so much that Docker rotated log files before they were read. */
const MISSING_LINES = '… log lines are missing here: Docker deleted them before they were read';

export type FollowTiming = {
  /** Docker sometimes does not end the log stream of an exited container. Then the log is requested again without waiting. */
  finishMs: number;
  /** How often streams are looked at that may hang. */
  checkMs: number;
  stream: StreamTiming;
};

const TIMING: FollowTiming = { finishMs: 5_000, checkMs: 5_000, stream: STREAM_TIMING };
const CHECK_TIMEOUT_MS = 10_000;

export function createLogFollowers(
  deps: DockerDeps,
  onError: (error: unknown) => void,
  timing = TIMING,
): LogFollowers {
  const followers = new Map<string, Follower>();
  let isClosed = false;
  let checking: Promise<void> | undefined;
  const checks = setInterval(() => {
    checking ??= restartHanging().finally(() => {
      checking = undefined;
    });
  }, timing.checkMs);
  checks.unref();

  /** Runs after the previous follower: a container may restart before its final lines are read. */
  function follow(container: LogSource): void {
    if (isClosed) return;
    const previous = followers.get(container.id);
    const stopping = previous?.stopping ?? new AbortController();
    const hung = new AbortController();
    const signal = AbortSignal.any([stopping.signal, hung.signal]);
    const progress = createStreamProgress(deps.clock, timing.stream);
    const ended = (previous?.ended ?? Promise.resolve())
      .then(() => copyLines(container, progress, deps, signal))
      .catch((error: unknown) => {
        if (!signal.aborted && !isExpected(error)) onError(error);
      })
      .finally(() => {
        if (followers.get(container.id) === follower) followers.delete(container.id);
      });
    const follower = { container, progress, ended, stopping, hung };
    followers.set(container.id, follower);
  }

  /** One after another, so that checks do not become a burst of requests. */
  async function restartHanging(): Promise<void> {
    for (const { container, progress, hung, stopping } of [...followers.values()]) {
      if (!progress.isDue()) continue;
      try {
        const newest = await readNewest(container, deps, stopping.signal);
        if (!progress.hangs(newest)) continue;
        follow(container);
        hung.abort();
      } catch (error) {
        if (!stopping.signal.aborted && !isExpected(error)) onError(error);
      }
    }
  }

  async function end({ ended, stopping }: Follower): Promise<void> {
    stopping.abort();
    await ended;
  }

  return {
    follow,
    async finish(container) {
      const previous = followers.get(container.id);
      follow(container);
      if (previous !== undefined && !(await endsWithin(previous, timing.finishMs)))
        previous.hung.abort();
      const last = followers.get(container.id);
      if (last !== undefined) await endsWithin(last, timing.finishMs);
    },
    async remove(container) {
      const follower = followers.get(container.id);
      if (follower !== undefined) await end(follower);
      await recordsOf(container, deps).remove(positionPath(container));
    },
    async close() {
      isClosed = true;
      clearInterval(checks);
      await Promise.all([...followers.values()].map(end));
      await checking;
    },
  };
}

async function endsWithin({ ended }: Follower, withinMs: number): Promise<boolean> {
  const timeout = new AbortController();
  const tooLong = delay(withinMs, false, { signal: timeout.signal, ref: false }).catch(() => false);
  const hasEnded = await Promise.race([ended.then(() => true), tooLong]);
  timeout.abort();
  return hasEnded;
}

/** The timestamp of the newest log entry that Docker has. */
async function readNewest(
  { id }: LogSource,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<string | undefined> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(CHECK_TIMEOUT_MS)]);
  let newest: string | undefined;
  for await (const { at } of readLogEntries(id, { tail: 1, isFollowing: false }, deps, limited)) {
    newest = at;
  }
  return newest;
}

async function copyLines(
  container: LogSource,
  progress: StreamProgress,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  const { id, appId, instance, process } = container;
  if (signal.aborted) return;
  const name = instanceLogName(appId, Number(instance), process);
  const lines = createContainerLineSplitter((line) => deps.logs.append(appId, name, line));
  const repeats = createRepeatDetector();
  let copiedEntries = 0;
  const path = positionPath(container);
  const { flush } = deps.logs;
  const records = recordsOf(container, deps);
  const position = await openLogPosition({ appId, path }, { records, logs: { flush } });
  try {
    const range = { since: position.since, isFollowing: true };
    progress.open(position.since);
    for await (const { at, output, bytes } of readLogEntries(id, range, deps, signal)) {
      progress.read({ at, bytes });
      const classification = repeats.classify({ at, output }, deps.clock.now());
      if (classification === 'again') deps.logs.append(appId, name, MISSING_LINES);
      if (classification !== 'new' || position.isKnown(at)) continue;
      lines.push(output, bytes);
      const storing = position.add(at, lines.hasNoPartialLine());
      if (storing !== undefined) await storing;
      copiedEntries += 1;
      if (copiedEntries % ENTRIES_PER_ROOM_CHECK !== 0) continue;
      progress.pause();
      await deps.logs.waitForRoom(appId);
      progress.resume();
    }
    lines.end();
    position.end();
  } finally {
    progress.pause();
    await position.close();
  }
}

/** The container was removed, or Docker went down: the event watcher follows again after the reconnect. */
function isExpected(error: unknown): boolean {
  return hasStatus(error, 404, 409) || isEngineDown(error);
}

function recordsOf({ appId }: LogSource, deps: DockerDeps): EngineRecords {
  return createDiskRecords(appFolder(appId, deps));
}

function positionPath({ instance }: LogSource): string {
  return `position-${instance}`;
}
