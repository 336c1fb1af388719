import type { LineFilter } from './line-filter.ts';
import { decodeRecord, decodeRecords, type LogRecord } from './log-record.ts';
import type { LogSegments, SegmentName } from './log-storage.ts';
import type { StoredSequences } from './log-streams.ts';

/** Longer than any line, so that a whole one always fits. */
const WINDOW_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;

/** Where to begin, and which lines to return. */
type Selection = { stored: StoredSequences; before: number; filter: LineFilter };

/** Selected lines, newest first. All selected lines from `floor` on were returned by this step or one before. */
type Step = { records: LogRecord[]; floor: number };

type StreamState = { next(): Promise<string | undefined>; floor: number };

/**
 * Reads the streams of an app from a position back to the oldest line, in the order of their sequence numbers. Each step
 * reads one window of one stream and waits for the disk, so other work continues. A segment deleted meanwhile ends its
 * stream. At most one window per stream is in memory.
 */
export async function* readBackwards(
  segments: LogSegments,
  { stored, before, filter }: Selection,
  signal: AbortSignal,
): AsyncGenerator<Step> {
  let reading: StreamState[] = [...filter.streams(stored)].map(([stream, last]) => ({
    next: createStreamReader(segments, stream, before),
    floor: Math.min(before, last + 1),
  }));
  let waiting: LogRecord[] = [];
  while (reading.length > 0) {
    signal.throwIfAborted();
    const state = reading.reduce((highest, it) => (it.floor > highest.floor ? it : highest));
    const content = await state.next();
    if (content === undefined) reading = reading.filter((it) => it !== state);
    else {
      state.floor = Math.min(state.floor, firstSequence(content) ?? state.floor);
      if (filter.mayMatch(content)) waiting.push(...selected(content));
    }
    const floor = Math.max(0, ...reading.map((it) => it.floor));
    waiting.sort((one, other) => other.sequence - one.sequence);
    const end = waiting.findIndex(({ sequence }) => sequence < floor);
    const records = end === -1 ? waiting : waiting.slice(0, end);
    waiting = end === -1 ? [] : waiting.slice(end);
    yield { records, floor };
  }

  function selected(content: string): LogRecord[] {
    return decodeRecords(content).filter(
      (record) => record.sequence < before && filter.matches(record),
    );
  }
}

/** The sequence number of the last line of a stream; 0 if it has none. */
export async function lastSequence(segments: LogSegments, stream: string): Promise<number> {
  const newest = (await segments.list(stream)).at(-1);
  if (newest === undefined) return 0;
  const next = createStreamReader(segments, stream, Number.POSITIVE_INFINITY);
  for (let content = await next(); content !== undefined; content = await next()) {
    const last = decodeRecords(content).at(-1);
    if (last !== undefined) return Math.max(newest - 1, last.sequence);
  }
  return newest - 1;
}

/** Reads one stream backwards: the whole lines of one window per call, undefined at the beginning of the stream. */
function createStreamReader(
  segments: LogSegments,
  stream: string,
  before: number,
): () => Promise<string | undefined> {
  let remaining: number[] | undefined;
  let end: number | undefined;
  return async () => {
    remaining ??= (await segments.list(stream)).filter((first) => first < before);
    for (let segment = remaining.at(-1); segment !== undefined; segment = remaining.at(-1)) {
      const name = { stream, segment };
      const window = end === 0 ? undefined : await readWindow(segments, name, end);
      if (window !== undefined) {
        end = window.start;
        return window.content;
      }
      remaining.pop();
      end = undefined;
    }
    return undefined;
  };
}

/** The whole lines in the window before `end`, which is the end of the segment if undefined, and where they start. */
async function readWindow(
  segments: LogSegments,
  { stream, segment }: SegmentName,
  end: number | undefined,
) {
  const from = end === undefined ? -WINDOW_BYTES : Math.max(0, end - WINDOW_BYTES);
  const maxBytes = end === undefined ? WINDOW_BYTES : end - from;
  const range = await segments.readRange(stream, segment, { start: from, maxBytes });
  if (range === undefined || range.bytes.length === 0) return undefined;
  const offset = end === undefined ? range.segmentBytes - range.bytes.length : from;
  // The first line may be cut, unless the window begins with the segment.
  const whole = offset === 0 ? 0 : range.bytes.indexOf(LINE_FEED) + 1;
  // A window without a whole line is corrupt data, because lines are shorter: skip it.
  if (offset > 0 && (whole === 0 || whole === range.bytes.length)) {
    return { content: '', start: offset };
  }
  return { content: range.bytes.toString('utf8', whole), start: offset + whole };
}

function firstSequence(content: string): number | undefined {
  const first = decodeRecord(content.slice(0, content.indexOf('\n'))) ?? decodeRecords(content)[0];
  return first?.sequence;
}
