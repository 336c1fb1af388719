import type { LogsRequest } from '@longshore/contract';
import type { AppLog } from './app-log.ts';
import { createLineFilter, type LineFilter } from './line-filter.ts';
import type { LogRecord } from './log-record.ts';
import type { LogSegments } from './log-storage.ts';
import { APP_STREAM, type StoredSequences } from './log-streams.ts';
import { createMergedReader, type MergedReader } from './merged-reader.ts';
import { createPreviousRunFinder } from './previous-run.ts';
import { findTailStart } from './tail.ts';

/** Which lines of an app to read, and whether to wait for more. */
export type LogQuery = Omit<LogsRequest, 'projectId' | 'appId'>;

/** Reads the lines in batches, with backpressure, until the signal is aborted. */
export type LogReader = (signal: AbortSignal) => AsyncGenerator<LogRecord[]>;

/** A log of an app, and where it is stored. */
export type OpenLog = { segments: LogSegments; log: AppLog };

/**
 * Finds where the requested lines begin. Lines appended after this resolves are not missed. No line is read yet, so an
 * opened reader that is not used needs almost no memory.
 */
export async function openLogReader(
  { segments, log }: OpenLog,
  query: LogQuery,
  signal: AbortSignal,
): Promise<LogReader> {
  const filter = createLineFilter(query);
  const stored = filter.streams(await log.latest(signal));
  const count = query.tailLines;
  if (query.previous) {
    const readRun = await openPreviousRun(segments, stored, { count, signal });
    return (readSignal) => selectLines(readRun(readSignal), query, filter);
  }
  const { before = Number.POSITIVE_INFINITY } = query;
  const after =
    query.after ?? (await findTailStart(segments, { stored, before, filter, count }, signal));
  const reader = createMergedReader(segments, after);
  return (readSignal) => {
    const lines = query.follow
      ? followLines(reader, log, filter, readSignal)
      : readStored(reader, stored, readSignal);
    return selectLines(lines, query, filter);
  };
}

/** The lines that match the filter, up to the end of the requested range. */
async function* selectLines(
  batches: AsyncGenerator<LogRecord[]>,
  { before = Number.POSITIVE_INFINITY, limit = Number.POSITIVE_INFINITY }: LogQuery,
  { matches }: LineFilter,
): AsyncGenerator<LogRecord[]> {
  let missing = limit;
  for await (const records of batches) {
    const selected = records
      .filter((record) => record.sequence < before && matches(record))
      .slice(0, missing);
    if (selected.length > 0) yield selected;
    missing -= selected.length;
    if (missing === 0 || (records.at(-1)?.sequence ?? 0) >= before - 1) return;
  }
}

async function* readStored(
  reader: MergedReader,
  stored: StoredSequences,
  signal: AbortSignal,
): AsyncGenerator<LogRecord[]> {
  while (!signal.aborted) {
    const records = await reader.next(stored);
    if (records.length === 0) return;
    yield records;
  }
}

async function* followLines(
  reader: MergedReader,
  log: AppLog,
  filter: LineFilter,
  signal: AbortSignal,
): AsyncGenerator<LogRecord[]> {
  while (!signal.aborted) {
    const version = log.version();
    const isLast = log.isEnded();
    const records = await reader.next(filter.streams(await log.stored()));
    if (records.length > 0) yield records;
    else if (isLast) return;
    else await log.changed(version, signal);
  }
}

/** A previous run has ended, so there is nothing to follow. */
async function openPreviousRun(
  segments: LogSegments,
  stored: StoredSequences,
  { count, signal }: { count: number; signal: AbortSignal },
): Promise<LogReader> {
  const appStream: StoredSequences = new Map(
    [...stored].filter(([stream]) => stream === APP_STREAM),
  );
  const finder = createPreviousRunFinder(count);
  for await (const records of readStored(createMergedReader(segments, 0), appStream, signal)) {
    for (const record of records) finder.add(record);
  }
  signal.throwIfAborted();
  const run = finder.previousRun();
  const first = run?.sequences[0];
  return async function* lines(readSignal) {
    if (run === undefined || first === undefined || count === 0) return;
    const reader = createMergedReader(segments, first - 1);
    for await (const records of readStored(reader, appStream, readSignal)) {
      const ofRun = records.filter(({ name }) => name === run.name);
      if (ofRun.length > 0) yield ofRun;
    }
  };
}
