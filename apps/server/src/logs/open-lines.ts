import type { LogsRequest } from '@longshore/contract';
import type { AppLog } from './app-log.ts';
import type { Stored } from './app-writer.ts';
import type { LogRecord } from './log-record.ts';
import { createMergedReader, type MergedReader } from './merged-reader.ts';
import { createPreviousRun } from './previous-run.ts';
import { APP_STREAM, buildStream } from './streams.ts';
import { tailStart } from './tail-start.ts';

/** Which lines of an app, and whether to wait for more. */
export type LinesWish = Omit<LogsRequest, 'projectId' | 'appId'>;

/** Reads the lines in batches, at the reader's pace, until the reader's signal ends them. */
export type OpenLines = (signal: AbortSignal) => AsyncGenerator<LogRecord[]>;

type Place = { folder: string; log: AppLog };

/**
 * Finds where the wished lines begin. Whoever has got an answer misses nothing that comes after it. None of them is read
 * yet, so that somebody who does not read costs next to nothing.
 */
export async function openLines(
  { folder, log }: Place,
  wish: LinesWish,
  signal: AbortSignal,
): Promise<OpenLines> {
  await log.settled();
  const stored = wished(await log.stored(), wish);
  if (wish.previous) return await openPrevious(folder, stored, { count: wish.tailLines, signal });
  const after = wish.after ?? (await tailStart(folder, stored, { count: wish.tailLines, signal }));
  const reader = createMergedReader(folder, after);
  return (leaving) => (wish.follow ? followed(reader, log, wish, leaving) : whole(reader, stored));
}

function wished(stored: Stored, { kind, release }: LinesWish): Stored {
  if (kind === undefined && release === undefined) return stored;
  return new Map([...stored].filter(([stream]) => isWished(stream)));

  function isWished(stream: string): boolean {
    if (release !== undefined) return stream === buildStream(release);
    return (stream === APP_STREAM) === (kind === 'app');
  }
}

async function* whole(reader: MergedReader, stored: Stored): AsyncGenerator<LogRecord[]> {
  for (;;) {
    const records = await reader.next(stored);
    if (records.length === 0) return;
    yield records;
  }
}

async function* followed(
  reader: MergedReader,
  log: AppLog,
  wish: LinesWish,
  signal: AbortSignal,
): AsyncGenerator<LogRecord[]> {
  while (!signal.aborted) {
    const version = log.version();
    const isLast = log.isEnded();
    const records = await reader.next(wished(await log.stored(), wish));
    if (records.length > 0) yield records;
    else if (isLast) return;
    else await log.changed(version, signal);
  }
}

/** A previous run is over: there is nothing to follow in it. */
async function openPrevious(
  folder: string,
  stored: Stored,
  { count, signal }: { count: number; signal: AbortSignal },
): Promise<OpenLines> {
  const instances: Stored = new Map([...stored].filter(([stream]) => stream === APP_STREAM));
  const runs = createPreviousRun(count);
  for await (const records of whole(createMergedReader(folder, 0), instances)) {
    signal.throwIfAborted();
    for (const record of records) runs.add(record);
  }
  const run = runs.run();
  const first = run?.sequences[0];
  return async function* lines() {
    if (run === undefined || first === undefined || count === 0) return;
    for await (const records of whole(createMergedReader(folder, first - 1), instances)) {
      const own = records.filter(({ name }) => name === run.name);
      if (own.length > 0) yield own;
    }
  };
}
