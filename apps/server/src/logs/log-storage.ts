import type { StoredSequences } from './log-streams.ts';

/** The output of an app, or the requests of its visitors. */
export type LogKind = 'output' | 'access';

/**
 * Where the segments of logs are stored: files of this server, or the database that several servers share. Then only one of them
 * writes, and the others read what it has stored.
 */
export type LogStorage = {
  /** Whether other servers use it too. Then a failed write is repeated, because it was stored as a whole or not at all. */
  isShared: boolean;
  /** Throws a `RangeError` for an invalid id. */
  of(appId: string, kind: LogKind): LogSegments;
  /** Removes all logs of an app. */
  remove(appId: string): Promise<void>;
  /**
   * Makes this server the writer. Once it resolves, nothing that another server still has to write is stored: its writes end with
   * `LogSuperseded`, and so do those of a server that has never called this.
   */
  resume(): Promise<void>;
  /** Ends work in the background. */
  close(): Promise<void>;
};

/** The segments of one log. A segment may be removed at any time. */
export type LogSegments = {
  stored(): Promise<StoredLog>;
  /** The segments of a stream, oldest first, each by the sequence number of its first line. */
  list(stream: string): Promise<number[]>;
  /** Reads a part of a segment. A negative `start` counts from the end. Undefined if the segment is missing. */
  readRange(
    stream: string,
    segment: number,
    range: { start: number; maxBytes: number },
  ): Promise<SegmentRange | undefined>;
  /** The size of a stream. */
  bytesOf(stream: string): Promise<number>;
  /** Where to append to a stream, after a whole line. */
  endOf(stream: string): Promise<StreamEnd>;
  append(write: LogWrite): Promise<void>;
  removeStream(stream: string): Promise<void>;
};

/** `last`: the highest sequence number that was given to a line. */
export type StoredLog = { streams: StoredSequences; last: number };

export type SegmentRange = { bytes: Buffer; segmentBytes: number };

/** The segments of a stream, and the size of the newest one. */
export type StreamEnd = { segments: number[]; bytes: number };

/** Whole lines for a segment. `start`: the size of the segment before. `last`: the sequence number of the last line. */
export type SegmentPiece = {
  stream: string;
  segment: number;
  start: number;
  text: string;
  last: number;
};

export type SegmentName = Pick<SegmentPiece, 'stream' | 'segment'>;

/** A record of the engine (`EngineRecords`). */
export type StoredRecord = { path: string; value: unknown };

/** `after`: the last sequence number before, and `last`: with these lines. `records` are stored together with the lines. */
export type LogWrite = {
  pieces: SegmentPiece[];
  removed: SegmentName[];
  after: number;
  last: number;
  records: StoredRecord[];
};

/** Another server is the writer now. It stores these lines, if they still exist where they come from. */
export class LogSuperseded extends Error {
  override name = 'LogSuperseded';
  override message = 'Another server writes the logs';
}
