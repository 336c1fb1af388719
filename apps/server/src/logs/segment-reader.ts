import { decodeRecords, type LogRecord } from './log-record.ts';
import type { LogSegments, SegmentName } from './log-storage.ts';

/** Longer than any line, so that a whole one always fits. */
const WINDOW_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;

/** The position of a reader in a stream: segment, byte offset, and the sequence number of the last line it read. */
export type Cursor = { segment: number | undefined; offset: number; after: number };

export function cursorAfter(sequence: number): Cursor {
  return { segment: undefined, offset: 0, after: sequence };
}

/** A limited number of lines after the cursor; none if the reader has read everything. */
export async function readNext(
  segments: LogSegments,
  stream: string,
  start: Cursor,
): Promise<{ records: LogRecord[]; cursor: Cursor }> {
  let cursor = start;
  for (;;) {
    // Listed before the read: if there is a newer segment now, this one is complete.
    const existing = await segments.list(stream);
    const segment = segmentAt(existing, cursor);
    if (segment === undefined) return { records: [], cursor };
    if (segment !== cursor.segment) cursor = { ...cursor, segment, offset: 0 };
    const window = await readWindow(segments, { stream, segment }, cursor);
    cursor = window.cursor;
    if (window.records.length > 0) return window;
    if (window.hasAdvanced) continue;
    const next = existing.find((first) => first > segment);
    if (next === undefined) return { records: [], cursor };
    cursor = { ...cursor, segment: next, offset: 0 };
  }
}

/** The segment of the cursor; if that was deleted or is not known yet, the one that contains the next line. */
function segmentAt(segments: number[], { segment, after }: Cursor): number | undefined {
  if (segment !== undefined && segments.includes(segment)) return segment;
  return segments.findLast((first) => first <= after + 1) ?? segments[0];
}

async function readWindow(segments: LogSegments, { stream, segment }: SegmentName, cursor: Cursor) {
  const window = { start: cursor.offset, maxBytes: WINDOW_BYTES };
  const range = await segments.readRange(stream, segment, window);
  const bytes = range?.bytes ?? Buffer.alloc(0);
  const end = bytes.lastIndexOf(LINE_FEED) + 1;
  // A full window without a line feed is corrupt data, because lines are shorter: skip it.
  const consumed = end === 0 && bytes.length === WINDOW_BYTES ? bytes.length : end;
  const records = decodeRecords(bytes.toString('utf8', 0, end)).filter(
    ({ sequence }) => sequence > cursor.after,
  );
  const after = records.at(-1)?.sequence ?? cursor.after;
  const nextCursor = { segment, offset: cursor.offset + consumed, after };
  return { records, cursor: nextCursor, hasAdvanced: consumed > 0 };
}
