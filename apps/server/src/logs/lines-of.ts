import type { LogsRequest } from '@longshore/contract';
import type { LogRecord } from './log-record.ts';
import type { LogStore } from './log-store.ts';

const BATCH_LINES = 500;

export type RequestedLines = Pick<LogStore, 'tail' | 'previous' | 'follow'>;

/** The lines a request asks for, in batches. A previous run is over, so there is nothing to follow in it. */
export async function* linesOf(
  store: RequestedLines,
  { appId, tailLines, follow, previous }: LogsRequest,
  signal: AbortSignal,
): AsyncGenerator<LogRecord[]> {
  if (previous) {
    yield* batches(await store.previous(appId, tailLines, signal));
    return;
  }
  // One line is read even when none is wanted: it tells where following begins.
  const tail = await store.tail(appId, Math.max(1, tailLines), signal);
  if (tailLines > 0) yield* batches(tail);
  if (follow) yield* store.follow(appId, tail.at(-1)?.sequence ?? 0, signal);
}

function* batches(records: LogRecord[]): Generator<LogRecord[]> {
  for (let start = 0; start < records.length; start += BATCH_LINES) {
    yield records.slice(start, start + BATCH_LINES);
  }
}
