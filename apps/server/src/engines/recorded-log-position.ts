import { z } from 'zod';
import { createSemaphore, type Semaphore } from '../concurrency/semaphore.ts';
import type { EngineRecords } from './engine-records.ts';
import { createLogPosition, type LogPosition } from './log-position.ts';
import type { LogSink } from './log-sink.ts';

/** `told` is the stored name of the number of entries. */
const SCHEMA = z.object({ at: z.string(), told: z.number().int().nonnegative() });

/** The position is written at most this often, and after this many entries. */
const WRITE_INTERVAL_MS = 1_000;
const WRITE_AFTER_ENTRIES = 1_000;

type PositionDeps = {
  records: EngineRecords;
  logs: Pick<LogSink, 'flush' | 'appendRecord'>;
};

/**
 * Records how many entries of a container are in the log. With `appendRecord`, each line is stored together with the position after
 * it. Otherwise the position is written after the lines are stored: a repeated line is better than a lost one.
 */
export async function openLogPosition(
  { appId, path }: { appId: string; path: string },
  { records, logs }: PositionDeps,
) {
  const stored = await records.read(path, SCHEMA);
  const position = createLogPosition(stored && { at: stored.at, count: stored.told });
  let entries = 0;
  let timer: NodeJS.Timeout | undefined;
  let recorded = position.value();
  /** Created when it is needed: most containers are quiet, and there may be thousands. */
  let writeLock: Semaphore | undefined;

  /** Together with the lines appended so far, if that is possible. */
  function appendRecord(): void {
    const value = position.value();
    if (logs.appendRecord === undefined || value === undefined || isSame(value, recorded)) return;
    recorded = value;
    logs.appendRecord(appId, path, { at: value.at, told: value.count });
  }

  async function writePosition(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    entries = 0;
    const value = position.value();
    if (value === undefined) return;
    position.advance();
    if (logs.appendRecord !== undefined) return;
    await logs.flush(appId);
    await records.write(path, { at: value.at, told: value.count });
  }

  /** One write at a time. After a failed write, the next one stores the current position. */
  function writeInOrder(): Promise<void> {
    writeLock ??= createSemaphore(1);
    return writeLock.run(writePosition);
  }

  return {
    /** Entries are read again from here; `isKnown` recognises those already in the log. */
    since: stored?.at,
    isKnown: position.isKnown,
    /** Returns a promise to wait for when entries have to be stored before more are read. */
    add(at: string, isComplete: boolean): Promise<void> | undefined {
      position.add(at, isComplete);
      appendRecord();
      entries += 1;
      if (entries >= WRITE_AFTER_ENTRIES) return writeInOrder();
      timer ??= setTimeout(() => void writeInOrder().catch(() => {}), WRITE_INTERVAL_MS).unref();
      return undefined;
    },
    end(): void {
      position.end();
      appendRecord();
    },
    close: writeInOrder,
  };
}

function isSame(one: LogPosition, other: LogPosition | undefined): boolean {
  return one.at === other?.at && one.count === other.count;
}
