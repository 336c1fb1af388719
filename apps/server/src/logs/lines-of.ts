import type { LogsRequest } from '@longshore/contract';
import type { LogRecord } from './log-record.ts';
import type { LogStore } from './log-store.ts';

const BATCH_LINES = 500;
const READ_MS = 30_000;

export type RequestedLines = Pick<LogStore, 'tail' | 'previous' | 'follow'>;

/** Opens the lines that the reader's signal ends. */
export type OpenLines = (signal: AbortSignal) => AsyncGenerator<LogRecord[]>;

/**
 * The lines a request asks for, in batches. What is stored is read before this resolves, so whoever has got an
 * answer misses nothing that comes after it. A previous run is over: there is nothing to follow in it.
 */
export async function linesOf(store: RequestedLines, request: LogsRequest): Promise<OpenLines> {
  const { appId, tailLines, follow, previous } = request;
  const deadline = AbortSignal.timeout(READ_MS);
  if (previous) {
    const run = await store.previous(appId, tailLines, deadline);
    return () => batches(run);
  }
  // One line is read even when none is wanted: it tells where following begins.
  const tail = await store.tail(appId, Math.max(1, tailLines), deadline);
  const after = tail.at(-1)?.sequence ?? 0;
  return async function* lines(signal) {
    if (tailLines > 0) yield* batches(tail);
    if (follow) yield* store.follow(appId, after, signal);
  };
}

async function* batches(records: LogRecord[]): AsyncGenerator<LogRecord[]> {
  for (let start = 0; start < records.length; start += BATCH_LINES) {
    yield records.slice(start, start + BATCH_LINES);
  }
}
