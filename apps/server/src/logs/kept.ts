import { stat } from 'node:fs/promises';
import type { KeptLogs } from '@longshore/contract';
import type { AppLog } from './app-log.ts';
import type { WriterLimits } from './app-writer.ts';
import {
  APP_STREAM,
  isCommandStream,
  listSegments,
  readRange,
  segmentPath,
  streamFolder,
} from './log-files.ts';
import { decodeRecords, type LogRecord } from './log-record.ts';

/** Longer than any line. */
const FIRST_BYTES = 64 * 1024;

type LogFiles = { folder: string; log: AppLog };

/** What is stored of an app, and how much is stored at most. */
export async function describeKept(
  { output, access }: { output: LogFiles; access: LogFiles },
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

async function describeStored({ folder, log }: LogFiles) {
  await log.settled();
  const streams = [...(await log.stored()).keys()];
  const paths = (await Promise.all(streams.map((stream) => segmentsOf(folder, stream)))).filter(
    ([first]) => first !== undefined,
  );
  const oldest = await Promise.all(paths.map(([first = '']) => firstRecord(first)));
  const times = oldest.flatMap((record) => record?.at ?? []);
  const sizes = await Promise.all(paths.flat().map(sizeOf));
  return {
    streams,
    since: times.length === 0 ? undefined : new Date(Math.min(...times)).toISOString(),
    bytes: sizes.reduce((sum, bytes) => sum + bytes, 0),
  };
}

async function segmentsOf(folder: string, stream: string): Promise<string[]> {
  const inStream = streamFolder(folder, stream);
  return (await listSegments(inStream)).map((first) => segmentPath(inStream, first));
}

/** A segment may be deleted at any time. */
async function sizeOf(path: string): Promise<number> {
  return await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

async function firstRecord(path: string): Promise<LogRecord | undefined> {
  const range = await readRange(path, 0, FIRST_BYTES);
  return range && decodeRecords(range.bytes.toString('utf8'))[0];
}
