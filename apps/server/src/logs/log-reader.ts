import type { LogsRequest } from '@longshore/contract';
import type { AppLog } from './app-log.ts';
import { APP_STREAM, buildStream, type StoredSequences } from './log-files.ts';
import type { LogRecord } from './log-record.ts';
import { createMergedReader, type MergedReader } from './merged-reader.ts';
import { createPreviousRunFinder } from './previous-run.ts';
import { findTailStart } from './tail.ts';

/** Which lines of an app to read, and whether to wait for more. */
export type LogQuery = Omit<LogsRequest, 'projectId' | 'appId'>;

/** Reads the lines in batches, with backpressure, until the signal is aborted. */
export type LogReader = (signal: AbortSignal) => AsyncGenerator<LogRecord[]>;

type AppLogFiles = { folder: string; log: AppLog };

/**
 * Finds where the requested lines begin. Lines appended after this resolves are not missed. No line is read yet, so an
 * opened reader that is not used needs almost no memory.
 */
export async function openLogReader(
  { folder, log }: AppLogFiles,
  query: LogQuery,
  signal: AbortSignal,
): Promise<LogReader> {
  await log.settled();
  const stored = matchingStreams(await log.stored(), query);
  const tail = { count: query.tailLines, signal };
  if (query.previous) return await openPreviousRun(folder, stored, tail);
  const after = query.after ?? (await findTailStart(folder, stored, tail));
  const reader = createMergedReader(folder, after);
  return (readSignal) =>
    query.follow ? followLines(reader, log, query, readSignal) : readStored(reader, stored);
}

function matchingStreams(stored: StoredSequences, { kind, release }: LogQuery): StoredSequences {
  if (kind === undefined && release === undefined) return stored;
  return new Map([...stored].filter(([stream]) => matches(stream)));

  function matches(stream: string): boolean {
    if (release !== undefined) return stream === buildStream(release);
    return (stream === APP_STREAM) === (kind === 'app');
  }
}

async function* readStored(
  reader: MergedReader,
  stored: StoredSequences,
): AsyncGenerator<LogRecord[]> {
  for (;;) {
    const records = await reader.next(stored);
    if (records.length === 0) return;
    yield records;
  }
}

async function* followLines(
  reader: MergedReader,
  log: AppLog,
  query: LogQuery,
  signal: AbortSignal,
): AsyncGenerator<LogRecord[]> {
  while (!signal.aborted) {
    const version = log.version();
    const isLast = log.isEnded();
    const records = await reader.next(matchingStreams(await log.stored(), query));
    if (records.length > 0) yield records;
    else if (isLast) return;
    else await log.changed(version, signal);
  }
}

/** A previous run has ended, so there is nothing to follow. */
async function openPreviousRun(
  folder: string,
  stored: StoredSequences,
  { count, signal }: { count: number; signal: AbortSignal },
): Promise<LogReader> {
  const appStream: StoredSequences = new Map(
    [...stored].filter(([stream]) => stream === APP_STREAM),
  );
  const finder = createPreviousRunFinder(count);
  for await (const records of readStored(createMergedReader(folder, 0), appStream)) {
    signal.throwIfAborted();
    for (const record of records) finder.add(record);
  }
  const run = finder.previousRun();
  const first = run?.sequences[0];
  return async function* lines() {
    if (run === undefined || first === undefined || count === 0) return;
    for await (const records of readStored(createMergedReader(folder, first - 1), appStream)) {
      const ofRun = records.filter(({ name }) => name === run.name);
      if (ofRun.length > 0) yield ofRun;
    }
  };
}
