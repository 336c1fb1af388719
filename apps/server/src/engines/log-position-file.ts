import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { createSemaphore } from '../concurrency/semaphore.ts';
import { readJson, writeJson } from './json-file.ts';
import { createLogPosition } from './log-position.ts';

/** `told` is the stored name of the number of entries. */
const SCHEMA = z.object({ at: z.string(), told: z.number().int().nonnegative() });

/** The position is written at most this often, and after this many entries. */
const WRITE_INTERVAL_MS = 1_000;
const WRITE_AFTER_ENTRIES = 1_000;

/** Stores how many entries of a container are in the log. Written after the lines are stored: a repeated line is better than a lost one. */
export async function openLogPositionFile(path: string, flush: () => Promise<void>) {
  const stored = await readJson(path, SCHEMA);
  const position = createLogPosition(stored && { at: stored.at, count: stored.told });
  let entries = 0;
  let timer: NodeJS.Timeout | undefined;
  const writeLock = createSemaphore(1);

  async function writePosition(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    entries = 0;
    const value = position.value();
    if (value === undefined) return;
    position.advance();
    await flush();
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeJson(path, { at: value.at, told: value.count });
  }

  /** One write at a time. After a failed write, the next one stores the current position. */
  function writeInOrder(): Promise<void> {
    return writeLock.run(writePosition);
  }

  return {
    /** Entries are read again from here; `isKnown` recognises those already in the log. */
    since: stored?.at,
    isKnown: position.isKnown,
    /** Returns a promise to wait for when entries have to be stored before more are read. */
    add(at: string, isComplete: boolean): Promise<void> | undefined {
      position.add(at, isComplete);
      entries += 1;
      if (entries >= WRITE_AFTER_ENTRIES) return writeInOrder();
      timer ??= setTimeout(() => void writeInOrder().catch(() => {}), WRITE_INTERVAL_MS).unref();
      return undefined;
    },
    end: position.end,
    close: writeInOrder,
  };
}

export async function removeLogPositionFile(path: string): Promise<void> {
  await rm(path, { force: true });
}
