import { decodeRecords, type LogRecord } from './log-record.ts';
import { readPiece } from './read-piece.ts';
import { listSegments, segmentPath } from './segments.ts';

/** Longer than any line, so that a whole one always fits. */
const WINDOW_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;

/** Where a reader stands: in which segment, at which byte, after which line. */
export type Cursor = { segment: number | undefined; offset: number; after: number };

export function cursorAfter(sequence: number): Cursor {
  return { segment: undefined, offset: 0, after: sequence };
}

/** The next lines after the cursor, a bounded number of them; none when the reader has seen everything. */
export async function readNext(
  folder: string,
  start: Cursor,
): Promise<{ records: LogRecord[]; cursor: Cursor }> {
  let cursor = start;
  for (;;) {
    // Listed before the read: if there is a newer segment now, this one is complete.
    const segments = await listSegments(folder);
    const segment = segmentAt(segments, cursor);
    if (segment === undefined) return { records: [], cursor };
    if (segment !== cursor.segment) cursor = { ...cursor, segment, offset: 0 };
    const step = await readAt(folder, segment, cursor);
    cursor = step.cursor;
    if (step.records.length > 0) return step;
    if (step.isMoving) continue;
    const next = segments.find((first) => first > segment);
    if (next === undefined) return { records: [], cursor };
    cursor = { ...cursor, segment: next, offset: 0 };
  }
}

/** The reader's own segment; when that is gone, or there was none yet, the one its next line must be in. */
function segmentAt(segments: number[], { segment, after }: Cursor): number | undefined {
  if (segment !== undefined && segments.includes(segment)) return segment;
  return segments.findLast((first) => first <= after + 1) ?? segments[0];
}

async function readAt(folder: string, segment: number, cursor: Cursor) {
  const piece = await readPiece(segmentPath(folder, segment), cursor.offset, WINDOW_BYTES);
  const bytes = piece?.bytes ?? Buffer.alloc(0);
  const end = bytes.lastIndexOf(LINE_FEED) + 1;
  // A full window without a line's end is no line of ours: pass over it.
  const taken = end === 0 && bytes.length === WINDOW_BYTES ? bytes.length : end;
  const records = decodeRecords(bytes.toString('utf8', 0, end)).filter(
    ({ sequence }) => sequence > cursor.after,
  );
  const after = records.at(-1)?.sequence ?? cursor.after;
  const moved = { segment, offset: cursor.offset + taken, after };
  return { records, cursor: moved, isMoving: taken > 0 };
}
