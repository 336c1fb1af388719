import {
  listSegments,
  readRange,
  type StoredSequences,
  segmentPath,
  streamFolder,
} from './log-files.ts';
import { decodeRecords } from './log-record.ts';

const FIRST_WINDOW_BYTES = 64 * 1024;
const WINDOW_GROWTH = 4;

/** The sequence number after which the last `count` lines of the given streams begin. */
export async function findTailStart(
  folder: string,
  stored: StoredSequences,
  { count, signal }: { count: number; signal: AbortSignal },
): Promise<number> {
  const streamsNewestFirst = [...stored].sort(([, one], [, other]) => other - one);
  let newest: number[] = [];
  for (const [stream, last] of streamsNewestFirst) {
    if (newest.length > count && last < (newest[count] ?? 0)) break;
    // One more than requested: the tail begins after that one.
    const found = await lastSequences(streamFolder(folder, stream), count + 1, signal);
    newest = newest.concat(found).sort((one, other) => other - one);
    newest.length = Math.min(newest.length, count + 1);
  }
  return newest[count] ?? 0;
}

/** The sequence number of the last line of a stream; 0 if it has none. */
export async function lastSequence(folder: string): Promise<number> {
  const newest = (await listSegments(folder)).at(-1);
  if (newest === undefined) return 0;
  const [last = 0] = await sequencesAtEnd(segmentPath(folder, newest), 1);
  return Math.max(newest - 1, last);
}

/** The sequence numbers of the last lines of a stream, the last one first. Reads backwards from the end. */
async function lastSequences(
  folder: string,
  count: number,
  signal: AbortSignal,
): Promise<number[]> {
  const found: number[] = [];
  for (const segment of (await listSegments(folder)).reverse()) {
    if (found.length >= count) break;
    signal.throwIfAborted();
    const missing = count - found.length;
    for (const sequence of await sequencesAtEnd(segmentPath(folder, segment), missing)) {
      found.push(sequence);
    }
  }
  return found;
}

async function sequencesAtEnd(path: string, count: number): Promise<number[]> {
  for (let windowBytes = FIRST_WINDOW_BYTES; ; windowBytes *= WINDOW_GROWTH) {
    const range = await readRange(path, -windowBytes, windowBytes);
    if (range === undefined) return [];
    const isWholeFile = range.bytes.length >= range.fileBytes;
    const text = range.bytes.toString('utf8');
    const records = decodeRecords(isWholeFile ? text : text.slice(text.indexOf('\n') + 1));
    if (!isWholeFile && records.length < count) continue;
    return records
      .slice(-count)
      .map(({ sequence }) => sequence)
      .reverse();
  }
}
