import { appendFile, mkdir, readFile, rm, truncate } from 'node:fs/promises';
import { encodeRecord, type LogRecord } from './log-record.ts';
import { listSegments, segmentPath } from './segments.ts';

export type SegmentLimits = { segmentBytes: number; segments: number };

/** Appends records to the newest segment of one stream. Holds no file open. One write at a time. */
export type SegmentWriter = { write(records: LogRecord[]): Promise<void> };

type Place = { segments: number[]; bytes: number };

/** A writer whose write failed is of no use any more: the next one finds out from the files where to go on. */
export function createSegmentWriter(folder: string, limits: SegmentLimits): SegmentWriter {
  let place: Place | undefined;

  /** Answers how many of the records found room in the newest segment. */
  async function fill({ segments, bytes }: Place, records: LogRecord[]): Promise<number> {
    let text = '';
    let taken = 0;
    // A character takes a byte at least.
    while (taken < records.length && bytes + text.length < limits.segmentBytes) {
      text += encodeRecord(records[taken] as LogRecord);
      taken += 1;
    }
    await appendFile(segmentPath(folder, segments.at(-1) ?? 0), text, { mode: 0o600 });
    place = { segments, bytes: bytes + Buffer.byteLength(text) };
    return taken;
  }

  return {
    async write(records) {
      for (let left = records; left.length > 0; ) {
        const found = place ?? (await findPlace(folder));
        const isFull = found.segments.length === 0 || found.bytes >= limits.segmentBytes;
        const first = left[0]?.sequence ?? 0;
        const free = isFull
          ? await startSegment(folder, [...found.segments, first], limits)
          : found;
        left = left.slice(await fill(free, left));
      }
    },
  };
}

async function startSegment(
  folder: string,
  segments: number[],
  limits: SegmentLimits,
): Promise<Place> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const kept = segments.slice(-limits.segments);
  for (const old of segments.slice(0, -kept.length)) {
    await rm(segmentPath(folder, old), { force: true });
  }
  return { segments: kept, bytes: 0 };
}

/** Where the last write ended. A line that was cut off by a crash is taken back. */
async function findPlace(folder: string): Promise<Place> {
  const segments = await listSegments(folder);
  const newest = segments.at(-1);
  if (newest === undefined) return { segments, bytes: 0 };
  const path = segmentPath(folder, newest);
  const content = await readFile(path);
  const bytes = content.lastIndexOf('\n') + 1;
  if (bytes < content.length) await truncate(path, bytes);
  return { segments, bytes };
}
