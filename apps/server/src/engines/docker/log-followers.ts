import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { instanceLogName } from '@longshore/contract';
import { createContainerLineSplitter } from './container-lines.ts';
import { readLogEntries } from './container-logs.ts';
import type { DockerDeps } from './deps.ts';
import { hasStatus, isEngineDown } from './docker-error.ts';
import { appFolder } from './folders.ts';
import { openLogPositionFile, removeLogPositionFile } from './log-position-file.ts';
import { createRepeatDetector } from './repeat-detector.ts';

export type LogSource = { id: string; appId: string; instance: string };

/** Brings the lines of containers into our own log, each once, also across our restarts. */
export type LogFollowers = {
  /** Follows a container until it ends; again when it was started again. */
  follow(container: LogSource): void;
  /** Of a container that ended: resolves when all that it said is told. */
  finish(container: LogSource): Promise<void>;
  /** Follows it no more, and no later one of us will. */
  remove(container: LogSource): Promise<void>;
  close(): Promise<void>;
};

/** `hung` ends one reading only: the next one goes on behind it. */
type Follower = { ended: Promise<void>; stopping: AbortController; hung: AbortController };

/** Each takes 16 KiB at most, so this many find room. */
const ENTRIES_PER_ROOM_CHECK = 32;

/** So many were written that Docker took files away before we came to them. */
const MISSING_LINES = '… log lines are missing here: Docker deleted them before they were read';

/** Now and then an Engine does not end the log of a container that ended. It is asked once more then, and not waited for. */
const FINISH_TIMEOUT_MS = 5_000;

export function createLogFollowers(
  parts: DockerDeps,
  onError: (error: unknown) => void,
  lastWordsMs = FINISH_TIMEOUT_MS,
): LogFollowers {
  const followers = new Map<string, Follower>();
  let isClosed = false;

  /** After the one before it, if that still goes on: a container may start again before its last words are read. */
  function follow(container: LogSource): void {
    if (isClosed) return;
    const before = followers.get(container.id);
    const stopping = before?.stopping ?? new AbortController();
    const hung = new AbortController();
    const signal = AbortSignal.any([stopping.signal, hung.signal]);
    const ended = (before?.ended ?? Promise.resolve())
      .then(() => copyLines(container, parts, signal))
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
      const before = followers.get(container.id);
      follow(container);
      if (before !== undefined && !(await endsWithin(before, lastWordsMs))) before.hung.abort();
      const last = followers.get(container.id);
      if (last !== undefined) await endsWithin(last, lastWordsMs);
    },
    async remove(container) {
      const follower = followers.get(container.id);
      if (follower !== undefined) await end(follower);
      await removeLogPositionFile(positionPath(container, parts));
    },
    async close() {
      isClosed = true;
      await Promise.all([...followers.values()].map(end));
    },
  };
}

async function endsWithin({ ended }: Follower, withinMs: number): Promise<boolean> {
  const patience = new AbortController();
  const tooLong = delay(withinMs, false, { signal: patience.signal, ref: false }).catch(
    () => false,
  );
  const isOver = await Promise.race([ended.then(() => true), tooLong]);
  patience.abort();
  return isOver;
}

async function copyLines(
  container: LogSource,
  parts: DockerDeps,
  signal: AbortSignal,
): Promise<void> {
  const { id, appId, instance } = container;
  if (signal.aborted) return;
  const name = instanceLogName(appId, Number(instance));
  const lines = createContainerLineSplitter((line) => parts.logs.append(appId, name, line));
  const repeats = createRepeatDetector();
  let told = 0;
  const stored = async () => await parts.logs.flush?.(appId);
  const position = await openLogPositionFile(positionPath(container, parts), stored);
  try {
    const range = { since: position.since, isFollowing: true };
    for await (const { at, output, bytes } of readLogEntries(id, range, parts, signal)) {
      const seen = repeats.classify({ at, output }, parts.clock.now());
      if (seen === 'again') parts.logs.append(appId, name, MISSING_LINES);
      if (seen !== 'new' || position.isTold(at)) continue;
      lines.push(output, bytes);
      const keeping = position.tell(at, lines.hasNoPartialLine());
      if (keeping !== undefined) await keeping;
      told += 1;
      if (told % ENTRIES_PER_ROOM_CHECK === 0) await parts.logs.waitForRoom?.(appId);
    }
    lines.end();
    position.end();
  } finally {
    await position.close();
  }
}

/** It was removed meanwhile, or the Engine went down: whoever hears that it is back follows again. */
function isExpected(error: unknown): boolean {
  return hasStatus(error, 404, 409) || isEngineDown(error);
}

function positionPath({ appId, instance }: LogSource, parts: DockerDeps): string {
  return join(appFolder(appId, parts), `position-${instance}`);
}
