import { rm } from 'node:fs/promises';
import { lastSequence } from './backward-reader.ts';
import type { PendingLine } from './line-buffer.ts';
import {
  APP_STREAM,
  isCommandStream,
  listBuildStreams,
  listCommandStreams,
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
  /** Segments for the output of each command, and number of commands whose output is retained. */
  commandSegments: number;
  commands: number;
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
    const segments = segmentsOf(stream, limits);
    const { segmentBytes } = limits;
    const writer =
      writers.get(stream) ??
      createSegmentWriter(streamFolder(folder, stream), { segmentBytes, segments });
    writers.set(stream, writer);
    return writer;
  }

  async function removeOldStreams(sequences: Map<string, number>): Promise<void> {
    const old = [
      ...(await listBuildStreams(folder)).slice(0, -limits.builds),
      ...(await listCommandStreams(folder)).slice(0, -limits.commands),
    ];
    for (const stream of old) {
      sequences.delete(stream);
      writers.delete(stream);
      await rm(streamFolder(folder, stream), { recursive: true, force: true });
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
        if (next.size > before.size) await removeOldStreams(next);
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

function segmentsOf(stream: string, limits: WriterLimits): number {
  if (stream === APP_STREAM) return limits.segments;
  return isCommandStream(stream) ? limits.commandSegments : limits.buildSegments;
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
  const streams = [...(await listBuildStreams(folder)), ...(await listCommandStreams(folder))];
  for (const stream of [APP_STREAM, ...streams]) {
    const last = await lastSequence(streamFolder(folder, stream));
    if (last > 0) sequences.set(stream, last);
  }
  return sequences;
}
