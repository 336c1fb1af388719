import { rm } from 'node:fs/promises';
import { lastSequence } from './backward-reader.ts';
import type { PendingLine } from './line-buffer.ts';
import {
  APP_STREAM,
  listBuildStreams,
  type StoredSequences,
  streamFolder,
  streamOf,
} from './log-files.ts';
import type { LogRecord } from './log-record.ts';
import { createSegmentWriter, type SegmentWriter } from './segment-writer.ts';

export type WriterLimits = {
  segmentBytes: number;
  /** Segments for the lines of instances. */
  segments: number;
  /** Segments for the lines of each build. */
  buildSegments: number;
  /** Number of builds whose lines are retained. */
  builds: number;
};

/** Numbers the lines of one app and stores each in its stream. One write at a time. */
export type AppWriter = {
  stored(): Promise<StoredSequences>;
  write(lines: PendingLine[]): Promise<void>;
};

export function createAppWriter(folder: string, limits: WriterLimits): AppWriter {
  const writers = new Map<string, SegmentWriter>();
  let cached: StoredSequences | undefined;
  let loading: Promise<StoredSequences> | undefined;

  async function stored(): Promise<StoredSequences> {
    if (cached !== undefined) return cached;
    loading ??= load().finally(() => {
      loading = undefined;
    });
    return await loading;
  }

  async function load(): Promise<StoredSequences> {
    cached = await readStoredSequences(folder);
    return cached;
  }

  function writerOf(stream: string): SegmentWriter {
    const segments = stream === APP_STREAM ? limits.segments : limits.buildSegments;
    const { segmentBytes } = limits;
    const writer =
      writers.get(stream) ??
      createSegmentWriter(streamFolder(folder, stream), { segmentBytes, segments });
    writers.set(stream, writer);
    return writer;
  }

  async function removeOldBuilds(sequences: Map<string, number>): Promise<void> {
    for (const build of (await listBuildStreams(folder)).slice(0, -limits.builds)) {
      sequences.delete(build);
      writers.delete(build);
      await rm(streamFolder(folder, build), { recursive: true, force: true });
    }
  }

  return {
    stored,
    async write(lines) {
      const before = await stored();
      const next = new Map(before);
      try {
        for (const [stream, records] of numberByStream(lines, before)) {
          await writerOf(stream).write(records);
          next.set(stream, records.at(-1)?.sequence ?? 0);
        }
        if (next.size > before.size) await removeOldBuilds(next);
        cached = next;
      } catch (error) {
        // It is unknown how much was written: read it from the files before the next write.
        cached = undefined;
        writers.clear();
        throw error;
      }
    },
  };
}

function numberByStream(lines: PendingLine[], stored: StoredSequences): Map<string, LogRecord[]> {
  const recordsByStream = new Map<string, LogRecord[]>();
  let sequence = Math.max(0, ...stored.values());
  for (const line of lines) {
    sequence += 1;
    const stream = streamOf(line.name);
    const records = recordsByStream.get(stream) ?? [];
    records.push({ sequence, ...line });
    recordsByStream.set(stream, records);
  }
  return recordsByStream;
}

async function readStoredSequences(folder: string): Promise<StoredSequences> {
  const sequences = new Map<string, number>();
  for (const stream of [APP_STREAM, ...(await listBuildStreams(folder))]) {
    const last = await lastSequence(streamFolder(folder, stream));
    if (last > 0) sequences.set(stream, last);
  }
  return sequences;
}
