import { decodeRecords } from './log-record.ts';
import { readPiece } from './read-piece.ts';
import { listSegments, segmentPath } from './segments.ts';

const FIRST_WINDOW_BYTES = 64 * 1024;
const WINDOW_GROWTH = 4;

/** The number of the last line of a stream; 0 when it has none. */
export async function lastSequence(folder: string): Promise<number> {
  const newest = (await listSegments(folder)).at(-1);
  if (newest === undefined) return 0;
  const [last = 0] = await sequencesAtEnd(segmentPath(folder, newest), 1);
  return Math.max(newest - 1, last);
}

/** The numbers of the last lines of a stream, the last one first. Reads from the end, and keeps no text. */
export async function lastSequences(
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
  for (let window = FIRST_WINDOW_BYTES; ; window *= WINDOW_GROWTH) {
    const piece = await readPiece(path, -window, window);
    if (piece === undefined) return [];
    const isWhole = piece.bytes.length >= piece.fileBytes;
    const text = piece.bytes.toString('utf8');
    const records = decodeRecords(isWhole ? text : text.slice(text.indexOf('\n') + 1));
    if (!isWhole && records.length < count) continue;
    return records
      .slice(-count)
      .map(({ sequence }) => sequence)
      .reverse();
  }
}
