import { encodeRecord, type LogRecord } from './log-record.ts';
import type { SegmentName, SegmentPiece, StreamEnd } from './log-storage.ts';

export type SegmentLimits = { segmentBytes: number; segments: number };

type Plan = { pieces: SegmentPiece[]; removed: SegmentName[]; end: StreamEnd };

/** Distributes lines over the newest segment of a stream and new ones. The oldest segments are removed when there are too many. */
export function planSegments(
  stream: string,
  records: LogRecord[],
  before: StreamEnd,
  limits: SegmentLimits,
): Plan {
  const pieces: SegmentPiece[] = [];
  let { segments, bytes } = before;
  for (let next = 0; next < records.length; ) {
    if (segments.length === 0 || bytes >= limits.segmentBytes) {
      segments = [...segments, records[next]?.sequence ?? 0];
      bytes = 0;
    }
    let text = '';
    // A character has at least one byte, so the text length is a lower bound of its size.
    while (next < records.length && bytes + text.length < limits.segmentBytes) {
      text += encodeRecord(records[next] as LogRecord);
      next += 1;
    }
    const last = records[next - 1]?.sequence ?? 0;
    pieces.push({ stream, segment: segments.at(-1) ?? 0, start: bytes, text, last });
    bytes += Buffer.byteLength(text);
  }
  const retained = segments.slice(-limits.segments);
  const isRetained = ({ segment }: { segment: number }) => retained.includes(segment);
  return {
    pieces: pieces.filter(isRetained),
    removed: before.segments
      .filter((segment) => !isRetained({ segment }))
      .map((segment) => ({ stream, segment })),
    end: { segments: retained, bytes },
  };
}
