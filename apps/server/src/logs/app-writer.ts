import { rm } from 'node:fs/promises';
import type { PendingLine } from './line-buffer.ts';
import type { LogRecord } from './log-record.ts';
import { createSegmentWriter, type SegmentWriter } from './segment-writer.ts';
import { lastSequence } from './sequences.ts';
import { APP_STREAM, listBuilds, streamFolder, streamOf } from './streams.ts';

export type WriterLimits = {
  segmentBytes: number;
  /** Of the instances' lines. */
  segments: number;
  /** Of each build's. */
  buildSegments: number;
  /** So many builds keep their lines. */
  builds: number;
};

/** Up to which number each stream of an app is stored. */
export type Stored = ReadonlyMap<string, number>;

/** Numbers the lines of one app and stores each in its stream. One write at a time. */
export type AppWriter = { stored(): Promise<Stored>; write(lines: PendingLine[]): Promise<void> };

export function createAppWriter(folder: string, limits: WriterLimits): AppWriter {
  const writers = new Map<string, SegmentWriter>();
  let known: Stored | undefined;
  let finding: Promise<Stored> | undefined;

  async function stored(): Promise<Stored> {
    if (known !== undefined) return known;
    finding ??= find().finally(() => {
      finding = undefined;
    });
    return await finding;
  }

  async function find(): Promise<Stored> {
    known = await findStored(folder);
    return known;
  }

  function writerOf(stream: string): SegmentWriter {
    const segments = stream === APP_STREAM ? limits.segments : limits.buildSegments;
    const writer =
      writers.get(stream) ??
      createSegmentWriter(streamFolder(folder, stream), { ...limits, segments });
    writers.set(stream, writer);
    return writer;
  }

  async function forgetOldBuilds(next: Map<string, number>): Promise<void> {
    for (const build of (await listBuilds(folder)).slice(0, -limits.builds)) {
      next.delete(build);
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
        for (const [stream, records] of byStream(lines, before)) {
          await writerOf(stream).write(records);
          next.set(stream, records.at(-1)?.sequence ?? 0);
        }
        if (next.size > before.size) await forgetOldBuilds(next);
        known = next;
      } catch (error) {
        // The files say where to go on.
        known = undefined;
        writers.clear();
        throw error;
      }
    },
  };
}

function byStream(lines: PendingLine[], stored: Stored): Map<string, LogRecord[]> {
  const streams = new Map<string, LogRecord[]>();
  let sequence = Math.max(0, ...stored.values());
  for (const line of lines) {
    sequence += 1;
    const stream = streamOf(line.name);
    const records = streams.get(stream) ?? [];
    records.push({ sequence, ...line });
    streams.set(stream, records);
  }
  return streams;
}

async function findStored(folder: string): Promise<Stored> {
  const found = new Map<string, number>();
  for (const stream of [APP_STREAM, ...(await listBuilds(folder))]) {
    const last = await lastSequence(streamFolder(folder, stream));
    if (last > 0) found.set(stream, last);
  }
  return found;
}
