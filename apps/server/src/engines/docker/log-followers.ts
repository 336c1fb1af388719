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
type Follower = { ended: Promise<void>; stopping: AbortController; hung: AbortController };

/** An entry is at most 16 KiB, so this many fit into the buffer. */
const ENTRIES_PER_ROOM_CHECK = 32;

/** The app wrote so much that Docker rotated log files before they were read. */
const MISSING_LINES = '… log lines are missing here: Docker deleted them before they were read';

/** Docker sometimes does not end the log stream of an exited container. Then the log is requested again without waiting. */
const FINISH_TIMEOUT_MS = 5_000;

export function createLogFollowers(
  deps: DockerDeps,
  onError: (error: unknown) => void,
  finishTimeoutMs = FINISH_TIMEOUT_MS,
): LogFollowers {
  const followers = new Map<string, Follower>();
  let isClosed = false;

  /** Runs after the previous follower: a container may restart before its final lines are read. */
  function follow(container: LogSource): void {
    if (isClosed) return;
    const previous = followers.get(container.id);
    const stopping = previous?.stopping ?? new AbortController();
    const hung = new AbortController();
    const signal = AbortSignal.any([stopping.signal, hung.signal]);
    const ended = (previous?.ended ?? Promise.resolve())
      .then(() => copyLines(container, deps, signal))
      .catch((error: unknown) => {
        if (!signal.aborted && !isExpected(error)) onError(error);
      })
      .finally(() => {
        if (followers.get(container.id) === follower) followers.delete(container.id);
      });
    const follower = { ended, stopping, hung };
    followers.set(container.id, follower);
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
      if (previous !== undefined && !(await endsWithin(previous, finishTimeoutMs)))
        previous.hung.abort();
      const last = followers.get(container.id);
      if (last !== undefined) await endsWithin(last, finishTimeoutMs);
    },
    async remove(container) {
      const follower = followers.get(container.id);
      if (follower !== undefined) await end(follower);
      await recordsOf(container, deps).remove(positionPath(container));
    },
    async close() {
      isClosed = true;
      await Promise.all([...followers.values()].map(end));
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

async function copyLines(
  container: LogSource,
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
    for await (const { at, output, bytes } of readLogEntries(id, range, deps, signal)) {
      const classification = repeats.classify({ at, output }, deps.clock.now());
      if (classification === 'again') deps.logs.append(appId, name, MISSING_LINES);
      if (classification !== 'new' || position.isKnown(at)) continue;
      lines.push(output, bytes);
      const storing = position.add(at, lines.hasNoPartialLine());
      if (storing !== undefined) await storing;
      copiedEntries += 1;
      if (copiedEntries % ENTRIES_PER_ROOM_CHECK === 0) await deps.logs.waitForRoom(appId);
    }
    lines.end();
    position.end();
  } finally {
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
