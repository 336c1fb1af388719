import type { Stored } from './app-writer.ts';
import { lastSequences } from './sequences.ts';
import { streamFolder } from './streams.ts';

/** The number after which the last lines of some streams begin. */
export async function tailStart(
  folder: string,
  stored: Stored,
  { count, signal }: { count: number; signal: AbortSignal },
): Promise<number> {
  const newestFirst = [...stored].sort(([, one], [, other]) => other - one);
  let newest: number[] = [];
  for (const [stream, last] of newestFirst) {
    if (newest.length > count && last < (newest[count] ?? 0)) break;
    // One more than wanted: behind that one they begin.
    const found = await lastSequences(streamFolder(folder, stream), count + 1, signal);
    newest = newest.concat(found).sort((one, other) => other - one);
    newest.length = Math.min(newest.length, count + 1);
  }
  return newest[count] ?? 0;
}
