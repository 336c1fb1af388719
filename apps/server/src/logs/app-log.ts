import { setImmediate as nextTurn } from 'node:timers/promises';
import { createCondition } from '../concurrency/condition.ts';
import { createAppWriter, type Stored, type WriterLimits } from './app-writer.ts';
import { cleanText } from './clean-text.ts';
import { type BufferLimits, createLineBuffer, type PendingLine } from './line-buffer.ts';
import type { Mask } from './mask.ts';
import { createPause } from './pause.ts';

/** Lines that come in a stream are stored fifty times a second, and sooner when they are many. */
const PAUSE_MS = 20;
/** As long as nobody knows what is secret, nothing is stored. */
const ASK_AGAIN_MS = 1_000;

export type AppLogDeps = {
  folder: string;
  clock: { now(): number };
  limits: BufferLimits & WriterLimits;
  /** What hides the app's secrets, as they are now. */
  mask(): Promise<Mask>;
  /** Told about a disk that refuses, and about secrets that cannot be read. */
  report(error: unknown): void;
};

/** The live end of one app's log. Between two lines it holds no file and no timer. */
export type AppLog = {
  append(name: string, text: string): void;
  /** Resolves when there is room for many lines. */
  room(): Promise<void>;
  /** Resolves when every line appended so far is stored, or lost and counted. */
  settled(): Promise<void>;
  stored(): Promise<Stored>;
  /** Takes no more lines; readers end when they have seen everything. */
  end(): Promise<void>;
  isEnded(): boolean;
  /** Grows with each write. */
  version(): number;
  /** Resolves when the version is not the given one any more, the log has ended, or the reader has left. */
  changed(version: number, signal: AbortSignal): Promise<void>;
};

export function createAppLog({ folder, clock, limits, mask, report }: AppLogDeps): AppLog {
  const buffer = createLineBuffer(limits);
  const writer = createAppWriter(folder, limits);
  const progress = createCondition();
  const pause = createPause();
  let flushing: Promise<void> | undefined;
  /** Lines ever appended, and those of them that are stored or lost. */
  let appended = 0;
  let settled = 0;
  let isEnded = false;
  let version = 0;

  /** Undefined when the log ended before anybody knew what is secret. */
  async function knownMask(): Promise<Mask | undefined> {
    for (;;) {
      try {
        return await mask();
      } catch (error) {
        report(error);
        if (isEnded) return undefined;
        await pause.wait(ASK_AGAIN_MS);
      }
    }
  }

  async function store(hide: Mask | undefined): Promise<void> {
    const taken = appended;
    const batch = buffer.take();
    try {
      if (hide !== undefined) await writer.write(batch.lines.map((line) => cleaned(line, hide)));
    } catch (error) {
      report(error);
      buffer.drop(batch.appended, batch.lines.at(-1)?.name ?? '', clock.now());
    }
    settled = taken;
    version += 1;
    progress.notifyAll();
  }

  async function flush(): Promise<void> {
    await nextTurn();
    while (!buffer.isEmpty()) {
      await store(await knownMask());
      if (!isEnded && !buffer.isFilling()) await pause.wait(PAUSE_MS);
    }
    flushing = undefined;
  }

  return {
    append(name, text) {
      if (isEnded) return;
      if (buffer.hasRoom()) buffer.push({ at: clock.now(), name, text });
      else buffer.drop(1, name, clock.now());
      appended += 1;
      if (buffer.isFilling()) pause.cutShort();
      flushing ??= flush();
    },
    async room() {
      while (buffer.isFilling() && !isEnded) await progress.wait();
    },
    async settled() {
      // Not until all is stored: a log that never falls silent would be waited for without end.
      const wanted = appended;
      if (settled < wanted) pause.cutShort();
      while (settled < wanted) await progress.wait();
    },
    stored: writer.stored,
    async end() {
      isEnded = true;
      pause.cutShort();
      await flushing;
      progress.notifyAll();
    },
    isEnded: () => isEnded,
    version: () => version,
    async changed(seen, signal) {
      if (seen === version && !isEnded) await progress.wait(signal);
    },
  };
}

function cleaned({ text, ...line }: PendingLine, hide: Mask): PendingLine {
  return { ...line, text: cleanText(text, hide) };
}
