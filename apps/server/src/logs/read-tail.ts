import { decodeRecords, type LogRecord } from './log-record.ts';
import { readPiece } from './read-piece.ts';
import { listSegments, segmentPath } from './segments.ts';

const FIRST_WINDOW_BYTES = 64 * 1024;
const WINDOW_GROWTH = 4;

/** The last lines of an app, oldest first. Reads from the end, and no more than it must. */
export async function readTail(
  folder: string,
  count: number,
  signal: AbortSignal,
): Promise<LogRecord[]> {
  const pieces: LogRecord[][] = [];
  let missing = count;
  for (const segment of (await listSegments(folder)).reverse()) {
    if (missing <= 0) break;
    signal.throwIfAborted();
    const records = await lastRecords(segmentPath(folder, segment), missing);
    missing -= records.length;
    pieces.push(records);
  }
  return pieces.reverse().flat();
}

async function lastRecords(path: string, count: number): Promise<LogRecord[]> {
  for (let window = FIRST_WINDOW_BYTES; ; window *= WINDOW_GROWTH) {
    const piece = await readPiece(path, -window, window);
    if (piece === undefined) return [];
    const isWhole = piece.bytes.length >= piece.fileBytes;
    const text = piece.bytes.toString('utf8');
    const records = decodeRecords(isWhole ? text : text.slice(text.indexOf('\n') + 1));
    if (isWhole || records.length >= count) return records.slice(-count);
  }
}
