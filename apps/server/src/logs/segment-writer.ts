import { appendFile, mkdir, readFile, rm, truncate } from 'node:fs/promises';
import { listSegments, segmentPath } from './log-files.ts';
import { encodeRecord, type LogRecord } from './log-record.ts';

export type SegmentLimits = { segmentBytes: number; segments: number };

/** Appends records to the newest segment of one stream. Keeps no file open. One write at a time. */
export type SegmentWriter = { write(records: LogRecord[]): Promise<void> };

/** The segments of the stream, and the size of the newest one. */
type StreamEnd = { segments: number[]; bytes: number };

/** After a failed write the writer must be discarded: a new one reads the end of the stream from the files. */
export function createSegmentWriter(folder: string, limits: SegmentLimits): SegmentWriter {
  let streamEnd: StreamEnd | undefined;

  /** Returns how many of the records fit into the newest segment. */
  async function appendToNewest(end: StreamEnd, records: LogRecord[]): Promise<number> {
    const { segments, bytes } = end;
    let text = '';
    let count = 0;
    // A character has at least one byte, so the text length is a lower bound of its size.
    while (count < records.length && bytes + text.length < limits.segmentBytes) {
      text += encodeRecord(records[count] as LogRecord);
      count += 1;
    }
    await appendFile(segmentPath(folder, segments.at(-1) ?? 0), text, { mode: 0o600 });
    streamEnd = { segments, bytes: bytes + Buffer.byteLength(text) };
    return count;
  }

  return {
    async write(records) {
      for (let remaining = records; remaining.length > 0; ) {
        const current = streamEnd ?? (await findStreamEnd(folder));
        const isFull = current.segments.length === 0 || current.bytes >= limits.segmentBytes;
        const first = remaining[0]?.sequence ?? 0;
        const end = isFull
          ? await startSegment(folder, [...current.segments, first], limits)
          : current;
        remaining = remaining.slice(await appendToNewest(end, remaining));
      }
    },
  };
}

async function startSegment(
  folder: string,
  segments: number[],
  limits: SegmentLimits,
): Promise<StreamEnd> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const retained = segments.slice(-limits.segments);
  for (const old of segments.slice(0, -retained.length)) {
    await rm(segmentPath(folder, old), { force: true });
  }
  return { segments: retained, bytes: 0 };
}

/** Removes an incomplete last line, which a crash may leave. */
async function findStreamEnd(folder: string): Promise<StreamEnd> {
  const segments = await listSegments(folder);
  const newest = segments.at(-1);
  if (newest === undefined) return { segments, bytes: 0 };
  const path = segmentPath(folder, newest);
  const content = await readFile(path);
  const bytes = content.lastIndexOf('\n') + 1;
  if (bytes < content.length) await truncate(path, bytes);
  return { segments, bytes };
}
