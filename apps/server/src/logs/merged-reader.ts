import type { Stored } from './app-writer.ts';
import type { LogRecord } from './log-record.ts';
import { type Cursor, cursorAfter, readNext } from './read-next.ts';
import { streamFolder } from './streams.ts';

/** Reads several streams of one app as one, in the order of their numbers. Holds one window of each at most. */
export type MergedReader = {
  /** The next lines of those that are stored; none when all were read. */
  next(stored: Stored): Promise<LogRecord[]>;
};

type Reading = { cursor: Cursor; waiting: LogRecord[] };

export function createMergedReader(folder: string, after: number): MergedReader {
  const readings = new Map<string, Reading>();
  let position = after;

  async function look(stream: string, last: number): Promise<Reading> {
    const reading = readings.get(stream) ?? { cursor: cursorAfter(position), waiting: [] };
    readings.set(stream, reading);
    if (reading.waiting.length === 0 && reading.cursor.after < last) {
      const read = await readNext(streamFolder(folder, stream), reading.cursor);
      reading.cursor = read.cursor;
      reading.waiting = read.records;
    }
    return reading;
  }

  return {
    async next(stored) {
      // Whatever came after is left for later: of other streams it may not have been seen.
      let end = Math.max(0, ...stored.values());
      const open: Reading[] = [];
      for (const [stream, last] of stored) {
        const reading = await look(stream, last);
        const read = reading.waiting.at(-1)?.sequence;
        if (read === undefined) continue;
        open.push(reading);
        if (read < last) end = Math.min(end, read);
      }
      const lines = open.flatMap((reading) => takeUntil(reading, end));
      position = lines.reduce((highest, { sequence }) => Math.max(highest, sequence), position);
      return open.length === 1 ? lines : lines.sort((one, other) => one.sequence - other.sequence);
    },
  };
}

function takeUntil(reading: Reading, end: number): LogRecord[] {
  const { waiting } = reading;
  const later = waiting.findIndex(({ sequence }) => sequence > end);
  const taken = later === -1 ? waiting : waiting.slice(0, later);
  reading.waiting = later === -1 ? [] : waiting.slice(later);
  return taken;
}
