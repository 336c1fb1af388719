import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BufferLimits, createLineBuffer } from './line-buffer.ts';
import { createPause } from './pause.ts';
import { createSegmentWriter, type SegmentLimits } from './segment-writer.ts';
import { createWaiters } from './waiters.ts';

/** Lines that come in a stream are stored fifty times a second, and sooner when they are many. */
const PAUSE_MS = 20;

export type AppLogDeps = {
  folder: string;
  clock: { now(): number };
  limits: BufferLimits & SegmentLimits;
  /** Told about a disk that refuses. */
  report(error: unknown): void;
};

/** The live end of one app's log. Between two lines it holds no file and no timer. */
export type AppLog = {
  /** The text is only asked for when there is room for it. */
  append(name: string, text: () => string): void;
  /** Resolves when every line appended so far is stored, or lost and counted. */
  stored(): Promise<void>;
  /** Takes no more lines; readers end when they have seen everything. */
  end(): Promise<void>;
  isEnded(): boolean;
  /** Grows with each write. */
  version(): number;
  /** Resolves when the version is not the given one any more, the log has ended, or the reader has left. */
  changed(version: number, signal: AbortSignal): Promise<void>;
};

export function createAppLog({ folder, clock, limits, report }: AppLogDeps): AppLog {
  const buffer = createLineBuffer(limits);
  const writer = createSegmentWriter(folder, limits);
  const waiters = createWaiters();
  const pause = createPause();
  let flushing: Promise<void> | undefined;
  /** Lines ever appended, and those of them that are stored or lost. */
  let appended = 0;
  let settled = 0;
  let isEnded = false;
  let version = 0;

  async function store(): Promise<void> {
    const taken = appended;
    const batch = buffer.take();
    try {
      await writer.write(batch.lines);
    } catch (error) {
      report(error);
      buffer.drop(batch.appended, batch.lines.at(-1)?.name ?? '', clock.now());
    }
    settled = taken;
    version += 1;
    waiters.wake();
  }

  async function flush(): Promise<void> {
    await nextTurn();
    while (!buffer.isEmpty()) {
      await store();
      if (!isEnded && !buffer.isFilling()) await pause.wait(PAUSE_MS);
    }
    flushing = undefined;
  }

  return {
    append(name, text) {
      if (isEnded) return;
      if (buffer.hasRoom()) buffer.push({ at: clock.now(), name, text: text() });
      else buffer.drop(1, name, clock.now());
      appended += 1;
      if (buffer.isFilling()) pause.cutShort();
      flushing ??= flush();
    },
    async stored() {
      // Not until all is stored: a log that never falls silent would be waited for without end.
      const wanted = appended;
      while (settled < wanted) await waiters.wait();
    },
    async end() {
      isEnded = true;
      pause.cutShort();
      await flushing;
      waiters.wake();
    },
    isEnded: () => isEnded,
    version: () => version,
    async changed(seen, signal) {
      if (seen === version && !isEnded) await waiters.wait(signal);
    },
  };
}
