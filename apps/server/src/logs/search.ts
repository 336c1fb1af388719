import type { LogFilter, LogSearchPage } from '@longshore/contract';
import type { AppLog } from './app-log.ts';
import { readBackwards } from './backward-reader.ts';
import { createLineFilter } from './line-filter.ts';
import type { LogRecord } from './log-record.ts';
import type { LogSegments } from './log-storage.ts';
import type { StoredSequences } from './log-streams.ts';

/** A page that takes longer than this ends where it is, so that the caller sees the progress. */
const PAGE_MS = 1_000;

export type LogSearch = LogFilter & { text: string; before?: number | undefined; limit: number };

type SearchDeps = { segments: LogSegments; log: AppLog; clock: { now(): number } };

/** One page of the lines that contain a text, newest first. Lines appended while it searches are not included. */
export async function searchLog(
  { segments, log, clock }: SearchDeps,
  { before, limit, ...query }: LogSearch,
  signal: AbortSignal,
): Promise<LogSearchPage> {
  const filter = createLineFilter(query);
  const stored = filter.streams(await log.latest(signal));
  const until = Math.min(before ?? Number.POSITIVE_INFINITY, Math.max(0, ...stored.values()) + 1);
  const endsAt = clock.now() + PAGE_MS;
  const oldest = await oldestSequence(segments, stored);
  const hits: LogRecord[] = [];
  const page = (next?: number) => ({ hits: hits.map(hitOf), until, oldest, next });
  for await (const { records, floor } of readBackwards(
    segments,
    { stored, before: until, filter },
    signal,
  )) {
    hits.push(...records.slice(0, limit - hits.length));
    const last = hits.at(-1);
    if (hits.length === limit && last !== undefined) return page(last.sequence);
    // A page must get further than the one before it, however long that takes.
    if (clock.now() >= endsAt && floor < until && floor > oldest) return page(floor);
  }
  return page();
}

function hitOf({ sequence, at }: LogRecord) {
  return { sequence, at: new Date(at).toISOString() };
}

async function oldestSequence(segments: LogSegments, stored: StoredSequences): Promise<number> {
  const lists = await Promise.all([...stored.keys()].map(segments.list));
  const first = lists.flatMap(([oldest]) => oldest ?? []);
  return first.length === 0 ? 0 : Math.min(...first);
}
