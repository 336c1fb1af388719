import type { PendingLine } from './line-buffer.ts';
import type { LogRecord } from './log-record.ts';
import type {
  LogSegments,
  SegmentName,
  SegmentPiece,
  StoredLog,
  StoredRecord,
  StreamEnd,
} from './log-storage.ts';
import {
  APP_STREAM,
  buildStreams,
  commandStreams,
  isCommandStream,
  streamOf,
} from './log-streams.ts';
import { planSegments, type SegmentLimits } from './plan-segments.ts';

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

/** Numbers the lines of one log and stores each in its stream. One write at a time. */
export type AppWriter = {
  stored(): Promise<StoredLog>;
  /** With `records`, which are stored together with the lines. A failed write may be repeated with the same arrays. */
  write(lines: PendingLine[], records: StoredRecord[]): Promise<void>;
  /** Reads from the storage again what is stored, unless it is known to be as much as `last`. Returns whether it does. */
  forget(last?: number): boolean;
};

export function createAppWriter(segments: LogSegments, limits: WriterLimits): AppWriter {
  const ends = new Map<string, StreamEnd>();
  /** The number of the last line when the ends were found. */
  let endsAt = 0;
  let cached: StoredLog | undefined;
  let loading: Promise<StoredLog> | undefined;
  /** Grows when what is being loaded may be outdated. */
  let generation = 0;
  /** Lines whose write failed. If they are stored nevertheless, the last one has this number. */
  let uncertain: { lines: PendingLine[]; last: number } | undefined;

  async function stored(): Promise<StoredLog> {
    if (cached !== undefined) return cached;
    loading ??= load(generation);
    return await loading;
  }

  async function load(startedIn: number): Promise<StoredLog> {
    try {
      const found = await segments.stored();
      if (generation === startedIn) cached = found;
      return found;
    } finally {
      if (generation === startedIn) loading = undefined;
    }
  }

  function setStored(known: StoredLog | undefined): void {
    generation += 1;
    loading = undefined;
    cached = known;
  }

  async function plan(lines: PendingLine[], { streams, last }: StoredLog) {
    const pieces: SegmentPiece[] = [];
    const removed: SegmentName[] = [];
    const nextStreams = new Map(streams);
    const nextEnds = new Map<string, StreamEnd>();
    for (const [stream, records] of numberByStream(lines, last)) {
      const before = ends.get(stream) ?? (await segments.endOf(stream));
      const ofStream = limitsOf(stream, limits);
      const planned = planSegments(stream, records, before, ofStream);
      pieces.push(...planned.pieces);
      removed.push(...planned.removed);
      nextEnds.set(stream, planned.end);
      nextStreams.set(stream, records.at(-1)?.sequence ?? 0);
    }
    return { pieces, removed, nextStreams, nextEnds };
  }

  async function removeOldStreams(streams: Map<string, number>): Promise<void> {
    const old = [
      ...buildStreams(streams.keys()).slice(0, -limits.builds),
      ...commandStreams(streams.keys()).slice(0, -limits.commands),
    ];
    for (const stream of old) {
      streams.delete(stream);
      ends.delete(stream);
      await segments.removeStream(stream);
    }
  }

  return {
    stored,
    async write(lines, records) {
      const before = await stored();
      const last = before.last + lines.length;
      const isStored = uncertain?.lines === lines && uncertain.last === before.last;
      uncertain = undefined;
      if (isStored && lines.length > 0) return;
      if (before.last !== endsAt) ends.clear();
      try {
        const { pieces, removed, nextStreams, nextEnds } = await plan(lines, before);
        await segments.append({ pieces, removed, after: before.last, last, records });
        for (const [stream, end] of nextEnds) ends.set(stream, end);
        endsAt = last;
        if (nextStreams.size > before.streams.size) await removeOldStreams(nextStreams);
        setStored({ streams: nextStreams, last });
      } catch (error) {
        // It is unknown how much was written: read it from the storage before the next write.
        setStored(undefined);
        ends.clear();
        uncertain = { lines, last };
        throw error;
      }
    },
    forget(last = Number.POSITIVE_INFINITY) {
      if (cached !== undefined && cached.last >= last) return false;
      setStored(undefined);
      return true;
    },
  };
}

function limitsOf(stream: string, limits: WriterLimits): SegmentLimits {
  const { segmentBytes } = limits;
  if (stream === APP_STREAM) return { segmentBytes, segments: limits.segments };
  const { commandSegments, buildSegments } = limits;
  return { segmentBytes, segments: isCommandStream(stream) ? commandSegments : buildSegments };
}

function numberByStream(lines: PendingLine[], last: number): Map<string, LogRecord[]> {
  const recordsByStream = new Map<string, LogRecord[]>();
  let sequence = last;
  for (const line of lines) {
    sequence += 1;
    const stream = streamOf(line.name);
    const records = recordsByStream.get(stream) ?? [];
    records.push({ sequence, ...line });
    recordsByStream.set(stream, records);
  }
  return recordsByStream;
}
