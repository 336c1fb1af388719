import type { KeptLogs } from '@longshore/contract';
import type { WriterLimits } from './app-writer.ts';
import type { OpenLog } from './log-reader.ts';
import { decodeRecords, type LogRecord } from './log-record.ts';
import type { LogSegments } from './log-storage.ts';
import { APP_STREAM, isCommandStream } from './log-streams.ts';

/** Longer than any line. */
const FIRST_BYTES = 64 * 1024;

/** What is stored of an app, and how much is stored at most. */
export async function describeKept(
  { output, access }: { output: OpenLog; access: OpenLog },
  limits: WriterLimits & { accessSegments: number },
): Promise<KeptLogs> {
  const { streams, ...stored } = await describeStored(output);
  const { since, bytes } = await describeStored(access);
  const { segmentBytes, segments, buildSegments, builds, accessSegments } = limits;
  return {
    ...stored,
    kinds: [
      ...(streams.includes(APP_STREAM) ? (['app'] as const) : []),
      ...(streams.some((stream) => stream !== APP_STREAM && !isCommandStream(stream))
        ? (['build'] as const)
        : []),
    ],
    limits: {
      appBytes: segments * segmentBytes,
      buildBytes: buildSegments * segmentBytes,
      builds,
    },
    access: { since, bytes, maxBytes: accessSegments * segmentBytes },
  };
}

async function describeStored({ segments, log }: OpenLog) {
  const streams = [...(await log.latest()).keys()];
  const oldest = await Promise.all(streams.map((stream) => firstRecord(segments, stream)));
  const times = oldest.flatMap((record) => record?.at ?? []);
  const sizes = await Promise.all(streams.map(segments.bytesOf));
  return {
    streams,
    since: times.length === 0 ? undefined : new Date(Math.min(...times)).toISOString(),
    bytes: sizes.reduce((sum, bytes) => sum + bytes, 0),
  };
}

async function firstRecord(segments: LogSegments, stream: string): Promise<LogRecord | undefined> {
  const [first] = await segments.list(stream);
  if (first === undefined) return undefined;
  const range = await segments.readRange(stream, first, { start: 0, maxBytes: FIRST_BYTES });
  return range && decodeRecords(range.bytes.toString('utf8'))[0];
}
