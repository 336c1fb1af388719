import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import { createCondition } from '../concurrency/condition.ts';
import { createAppWriter, type WriterLimits } from './app-writer.ts';
import { cleanText } from './clean-text.ts';
import { type BufferLimits, createLineBuffer, type PendingLine } from './line-buffer.ts';
import { type LogSegments, LogSuperseded, type StoredRecord } from './log-storage.ts';
import type { StoredSequences } from './log-streams.ts';
import type { Mask } from './mask.ts';

/** Continuous output is stored this often, and sooner when the buffer fills up. */
const WRITE_INTERVAL_MS = { own: 20, shared: 200 };
/** Until a shared storage responds again. In the meantime `waitForRoom` stops those whose lines can be read again later. */
const WRITE_RETRY_MS = 500;
/** While the secrets of the app cannot be read, nothing is stored. */
const MASK_RETRY_MS = 1_000;

export type AppLogDeps = {
  segments: LogSegments;
  /** As in `LogStorage`. */
  isShared: boolean;
  clock: { now(): number };
  limits: BufferLimits & WriterLimits;
  /** The mask for the app's current secrets. */
  mask(): Promise<Mask>;
  /** Called when lines cannot be written or secrets cannot be read. */
  report(error: unknown): void;
};

/** Writes the log of one app and wakes its followers. While no lines arrive, it holds no file and no timer. */
export type AppLog = {
  /** `at`: when it was written, if not now. */
  append(name: string, text: string, at?: number): void;
  /** Stores a record of the engine together with the lines appended so far: both or neither. Only in a shared storage. */
  appendRecord(record: StoredRecord): void;
  /** Resolves when the buffer has room for many lines, or the signal is aborted. */
  waitForRoom(signal?: AbortSignal): Promise<void>;
  /** Resolves when every line appended so far is stored, or counted as dropped. */
  settled(signal?: AbortSignal): Promise<void>;
  /** What is stored, as far as this server knows. */
  stored(): Promise<StoredSequences>;
  /** What is stored, with every line appended so far, also by other servers. */
  latest(signal?: AbortSignal): Promise<StoredSequences>;
  /** Another server stored lines up to this number, or if unknown any number. Wakes the followers, unless they are known. */
  lookAgain(last?: number): void;
  /** This server is the writer now: drops the lines that it could not store when it was before. */
  resume(): void;
  /** Accepts no more lines; readers end after the last line. */
  end(): Promise<void>;
  isEnded(): boolean;
  /** Grows with each write. */
  version(): number;
  /** Resolves when the version differs from the given one, the log has ended, or the signal is aborted. */
  changed(version: number, signal: AbortSignal): Promise<void>;
};

export function createAppLog(deps: AppLogDeps): AppLog {
  const { segments, isShared, clock, limits, mask, report } = deps;
  const buffer = createLineBuffer(limits);
  const records = new Map<string, unknown>();
  let writer = createAppWriter(segments, limits);
  const written = createCondition();
  const pause = createInterruptibleSleep();
  const retryPause = createInterruptibleSleep();
  let flushing: Promise<void> | undefined;
  /** Counts of lines: ever appended, and of those stored or dropped. */
  let appendedCount = 0;
  let settledCount = 0;
  let isEnded = false;
  let version = 0;
  const intervalMs = isShared ? WRITE_INTERVAL_MS.shared : WRITE_INTERVAL_MS.own;

  /** Undefined if the log ended before the secrets could be read. */
  async function loadMask(): Promise<Mask | undefined> {
    for (;;) {
      try {
        return await mask();
      } catch (error) {
        report(error);
        if (isEnded) return undefined;
        await pause.sleep(MASK_RETRY_MS);
      }
    }
  }

  async function storeBuffered(currentMask: Mask | undefined): Promise<void> {
    const appendedBefore = appendedCount;
    const batch = buffer.take();
    const taken = [...records].map(([path, value]) => ({ path, value }));
    records.clear();
    if (currentMask !== undefined) {
      const lines = batch.lines.map((line) => cleanLine(line, currentMask));
      if ((await store(lines, taken)) === 'dropped')
        buffer.drop(batch.appended, batch.lines.at(-1)?.name ?? '', clock.now());
    }
    settledCount = Math.max(settledCount, appendedBefore);
    version += 1;
    written.notifyAll();
  }

  async function store(
    lines: PendingLine[],
    taken: StoredRecord[],
  ): Promise<'stored' | 'superseded' | 'dropped'> {
    const current = writer;
    for (let isFirst = true; ; isFirst = false) {
      if (current !== writer) return 'superseded';
      try {
        await current.write(lines, taken);
        return 'stored';
      } catch (error) {
        if (error instanceof LogSuperseded || current !== writer) return 'superseded';
        if (isFirst) report(error);
        if (!isShared || isEnded) return 'dropped';
        await retryPause.sleep(WRITE_RETRY_MS);
      }
    }
  }

  async function flush(): Promise<void> {
    await nextEventLoopTurn();
    while (!buffer.isEmpty() || records.size > 0) {
      await storeBuffered(await loadMask());
      if (!isEnded && !buffer.isHalfFull()) await pause.sleep(intervalMs);
    }
    flushing = undefined;
  }

  async function settled(signal?: AbortSignal): Promise<void> {
    // Only the lines appended so far: with continuous output, waiting for an empty buffer could take forever.
    const target = appendedCount;
    if (settledCount < target) pause.interrupt();
    while (settledCount < target) {
      await written.wait(signal);
      signal?.throwIfAborted();
    }
  }

  async function stored(): Promise<StoredSequences> {
    return (await writer.stored()).streams;
  }

  return {
    append(name, text, at = clock.now()) {
      if (isEnded) return;
      if (buffer.hasRoom()) buffer.push({ at, name, text });
      else buffer.drop(1, name, at);
      appendedCount += 1;
      if (buffer.isHalfFull()) pause.interrupt();
      flushing ??= flush();
    },
    appendRecord({ path, value }) {
      if (isEnded) return;
      records.set(path, value);
      appendedCount += 1;
      flushing ??= flush();
    },
    async waitForRoom(signal) {
      while (buffer.isHalfFull() && !isEnded && !signal?.aborted) await written.wait(signal);
    },
    settled,
    stored,
    async latest(signal) {
      await settled(signal);
      if (isShared) writer.forget();
      return await stored();
    },
    lookAgain(last) {
      if (!writer.forget(last)) return;
      version += 1;
      written.notifyAll();
    },
    resume() {
      writer = createAppWriter(segments, limits);
      buffer.take();
      records.clear();
      settledCount = appendedCount;
      version += 1;
      retryPause.interrupt();
      written.notifyAll();
    },
    async end() {
      isEnded = true;
      pause.interrupt();
      retryPause.interrupt();
      await flushing;
      written.notifyAll();
    },
    isEnded: () => isEnded,
    version: () => version,
    async changed(seenVersion, signal) {
      if (seenVersion === version && !isEnded) await written.wait(signal);
    },
  };
}

function cleanLine({ text, ...line }: PendingLine, mask: Mask): PendingLine {
  return { ...line, text: cleanText(text, mask) };
}

function createInterruptibleSleep() {
  let finish: (() => void) | undefined;
  return {
    sleep(delayMs: number): Promise<void> {
      return new Promise((resolve) => {
        const timer = setTimeout(done, delayMs);
        function done(): void {
          clearTimeout(timer);
          finish = undefined;
          resolve();
        }
        finish = done;
      });
    },
    /** Ends the current sleep. */
    interrupt: () => finish?.(),
  };
}
