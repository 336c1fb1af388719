import { appendFile, mkdir, readFile, rm, truncate } from 'node:fs/promises';
import type { PendingLine } from './line-buffer.ts';
import { decodeRecords, encodeRecord } from './log-record.ts';
import { listSegments, segmentPath } from './segments.ts';

export type SegmentLimits = { segmentBytes: number; segments: number };

/** Appends lines to the newest segment of one app, and numbers them. Holds no file open. One write at a time. */
export type SegmentWriter = { write(lines: PendingLine[]): Promise<void> };

type Place = { segments: number[]; bytes: number; sequence: number };

export function createSegmentWriter(folder: string, limits: SegmentLimits): SegmentWriter {
  let known: Place | undefined;

  async function write(lines: PendingLine[], place: Place): Promise<void> {
    if (place.segments.length === 0 || place.bytes >= limits.segmentBytes) {
      await startSegment(folder, place, limits.segments);
    }
    let text = '';
    for (const line of lines) {
      place.sequence += 1;
      text += encodeRecord({ sequence: place.sequence, ...line });
    }
    const bytes = Buffer.from(text);
    await appendFile(segmentPath(folder, place.segments.at(-1) ?? 0), bytes, { mode: 0o600 });
    place.bytes += bytes.length;
  }

  return {
    async write(lines) {
      const place = known ?? (await findPlace(folder));
      // Forgotten while writing: after a failure the files say where to go on.
      known = undefined;
      await write(lines, place);
      known = place;
    },
  };
}

async function startSegment(folder: string, place: Place, keep: number): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  place.segments.push(place.sequence + 1);
  place.bytes = 0;
  while (place.segments.length > keep) {
    await rm(segmentPath(folder, place.segments.shift() ?? 0), { force: true });
  }
}

/** Where the last write ended. A line that was cut off by a crash is taken back. */
async function findPlace(folder: string): Promise<Place> {
  const segments = await listSegments(folder);
  const newest = segments.at(-1);
  if (newest === undefined) return { segments, bytes: 0, sequence: 0 };
  const path = segmentPath(folder, newest);
  const content = await readFile(path);
  const bytes = content.lastIndexOf('\n') + 1;
  if (bytes < content.length) await truncate(path, bytes);
  const last = decodeRecords(content.toString('utf8', 0, bytes)).at(-1);
  return { segments, bytes, sequence: Math.max(newest - 1, last?.sequence ?? 0) };
}
