import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import { createCondition } from '../concurrency/condition.ts';
import { createAppWriter, type WriterLimits } from './app-writer.ts';
import { cleanText } from './clean-text.ts';
import { type BufferLimits, createLineBuffer, type PendingLine } from './line-buffer.ts';
import type { StoredSequences } from './log-files.ts';
import type { Mask } from './mask.ts';

/** Continuous output is stored fifty times a second, and sooner when the buffer fills up. */
const WRITE_INTERVAL_MS = 20;
/** While the secrets of the app cannot be read, nothing is stored. */
const MASK_RETRY_MS = 1_000;

export type AppLogDeps = {
  folder: string;
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
  /** Resolves when the buffer has room for many lines. */
  waitForRoom(): Promise<void>;
  /** Resolves when every line appended so far is stored, or counted as dropped. */
  settled(): Promise<void>;
  stored(): Promise<StoredSequences>;
  /** Accepts no more lines; readers end after the last line. */
  end(): Promise<void>;
  isEnded(): boolean;
  /** Grows with each write. */
  version(): number;
  /** Resolves when the version differs from the given one, the log has ended, or the signal is aborted. */
  changed(version: number, signal: AbortSignal): Promise<void>;
};

export function createAppLog({ folder, clock, limits, mask, report }: AppLogDeps): AppLog {
  const buffer = createLineBuffer(limits);
  const writer = createAppWriter(folder, limits);
  const written = createCondition();
  const pause = createInterruptibleSleep();
  let flushing: Promise<void> | undefined;
  /** Counts of lines: ever appended, and of those stored or dropped. */
  let appendedCount = 0;
  let settledCount = 0;
  let isEnded = false;
  let version = 0;

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
    try {
      if (currentMask !== undefined) {
        await writer.write(batch.lines.map((line) => cleanLine(line, currentMask)));
      }
    } catch (error) {
      report(error);
      buffer.drop(batch.appended, batch.lines.at(-1)?.name ?? '', clock.now());
    }
    settledCount = appendedBefore;
    version += 1;
    written.notifyAll();
  }

  async function flush(): Promise<void> {
    await nextEventLoopTurn();
    while (!buffer.isEmpty()) {
      await storeBuffered(await loadMask());
      if (!isEnded && !buffer.isHalfFull()) await pause.sleep(WRITE_INTERVAL_MS);
    }
    flushing = undefined;
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
    async waitForRoom() {
      while (buffer.isHalfFull() && !isEnded) await written.wait();
    },
    async settled() {
      // Only the lines appended so far: with continuous output, waiting for an empty buffer could take forever.
      const target = appendedCount;
      if (settledCount < target) pause.interrupt();
      while (settledCount < target) await written.wait();
    },
    stored: writer.stored,
    async end() {
      isEnded = true;
      pause.interrupt();
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
