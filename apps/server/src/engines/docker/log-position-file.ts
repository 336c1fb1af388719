import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { createSemaphore } from '../../concurrency/semaphore.ts';
import { readJson, writeJson } from '../json-file.ts';
import { createLogPosition } from './log-position.ts';

const SCHEMA = z.object({ at: z.string(), told: z.number().int().nonnegative() });

/** So often at most it is written down how far we have read, while little is said; and after so many entries. */
const WRITE_INTERVAL_MS = 1_000;
const WRITE_AFTER_ENTRIES = 1_000;

/** How far a container's lines are stored. Written down late rather than early: a line told twice is better than one lost. */
export async function openLogPositionFile(path: string, stored: () => Promise<void>) {
  const before = await readJson(path, SCHEMA);
  const position = createLogPosition(before);
  let entries = 0;
  let timer: NodeJS.Timeout | undefined;
  const writeLock = createSemaphore(1);

  async function keep(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    entries = 0;
    const value = position.value();
    if (value === undefined) return;
    position.advance();
    await stored();
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeJson(path, value);
  }

  /** One write at a time. A write that failed is made up for by the next one. */
  function keepInTurn(): Promise<void> {
    return writeLock.run(keep);
  }

  return {
    /** From here on the entries are to be read again; those told already are told apart by `isTold`. */
    since: before?.at,
    isTold: position.isTold,
    /** Answers what to wait for, when so much was said that it has to be stored before there is more. */
    tell(at: string, isWhole: boolean): Promise<void> | undefined {
      position.tell(at, isWhole);
      entries += 1;
      if (entries >= WRITE_AFTER_ENTRIES) return keepInTurn();
      timer ??= setTimeout(() => void keepInTurn().catch(() => {}), WRITE_INTERVAL_MS).unref();
      return undefined;
    },
    end: position.end,
    close: keepInTurn,
  };
}

export async function removeLogPositionFile(path: string): Promise<void> {
  await rm(path, { force: true });
}
