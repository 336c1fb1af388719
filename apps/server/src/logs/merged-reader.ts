import type { LogRecord } from './log-record.ts';
import type { LogSegments } from './log-storage.ts';
import type { StoredSequences } from './log-streams.ts';
import { type Cursor, cursorAfter, readNext } from './segment-reader.ts';

/** Merges several streams of one app in the order of their sequence numbers. Buffers at most one window of each. */
export type MergedReader = {
  /** The next of the stored lines; none if all were read. */
  next(stored: StoredSequences): Promise<LogRecord[]>;
};

type StreamState = { cursor: Cursor; buffered: LogRecord[] };

export function createMergedReader(segments: LogSegments, after: number): MergedReader {
  const states = new Map<string, StreamState>();
  let position = after;

  async function fillBuffer(stream: string, lastSequence: number): Promise<StreamState> {
    const state = states.get(stream) ?? { cursor: cursorAfter(position), buffered: [] };
    states.set(stream, state);
    if (state.buffered.length === 0 && state.cursor.after < lastSequence) {
      const { cursor, records } = await readNext(segments, stream, state.cursor);
      state.cursor = cursor;
      state.buffered = records;
    }
    return state;
  }

  return {
    async next(stored) {
      // Only up to the sequence number that every stream has buffered or that is stored last: beyond it, lines of
      // other streams may be missing.
      let end = Math.max(0, ...stored.values());
      const nonEmpty: StreamState[] = [];
      for (const [stream, lastSequence] of stored) {
        const state = await fillBuffer(stream, lastSequence);
        const lastBuffered = state.buffered.at(-1)?.sequence;
        if (lastBuffered === undefined) continue;
        nonEmpty.push(state);
        if (lastBuffered < lastSequence) end = Math.min(end, lastBuffered);
      }
      const lines = nonEmpty.flatMap((state) => takeUntil(state, end));
      position = lines.reduce((highest, { sequence }) => Math.max(highest, sequence), position);
      if (nonEmpty.length === 1) return lines;
      return lines.sort((one, other) => one.sequence - other.sequence);
    },
  };
}

function takeUntil(state: StreamState, end: number): LogRecord[] {
  const { buffered } = state;
  const index = buffered.findIndex(({ sequence }) => sequence > end);
  const taken = index === -1 ? buffered : buffered.slice(0, index);
  state.buffered = index === -1 ? [] : buffered.slice(index);
  return taken;
}
