import { readBackwards } from './backward-reader.ts';
import type { LineFilter } from './line-filter.ts';
import type { LogSegments } from './log-storage.ts';
import type { StoredSequences } from './log-streams.ts';

type Tail = { stored: StoredSequences; before: number; filter: LineFilter; count: number };

/** The sequence number after which the last `count` of the selected lines begin. */
export async function findTailStart(
  segments: LogSegments,
  { count, ...selection }: Tail,
  signal: AbortSignal,
): Promise<number> {
  const newest = Math.max(0, ...selection.stored.values());
  if (count === 0) return Math.min(selection.before - 1, newest);
  let missing = count;
  for await (const { records } of readBackwards(segments, selection, signal)) {
    const first = records[missing];
    if (first !== undefined) return first.sequence;
    missing -= records.length;
  }
  return 0;
}
