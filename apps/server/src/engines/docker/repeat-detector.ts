import type { LogEntry } from './container-logs.ts';

/** The timestamp of the newest entry of one output, and whether older entries are being repeated. */
type OutputState = { newest: string; isRepeating: boolean };

/**
 * Detects entries that Docker sends twice. When log files are rotated before a slow reader reaches them, Docker sends some
 * entries again, from the start of the oldest file. Otherwise the entries of one output are in the order of their timestamps;
 * entries of different outputs may not be.
 */
export function createRepeatDetector() {
  const outputs = new Map<number, OutputState>();

  return {
    /** `again` for the first repeated entry, `repeated` for the following ones. */
    classify(
      { at, output }: Pick<LogEntry, 'at' | 'output'>,
      now: number,
    ): 'new' | 'again' | 'repeated' {
      const known = outputs.get(output) ?? { newest: '', isRepeating: false };
      outputs.set(output, known);
      const isNew = at > known.newest || (at === known.newest && !known.isRepeating);
      // A timestamp in the future was written before the clock of the machine was set back.
      if (isNew || Date.parse(known.newest) > now) {
        known.newest = at;
        known.isRepeating = false;
        return 'new';
      }
      const isFirst = !known.isRepeating;
      known.isRepeating = true;
      return isFirst ? 'again' : 'repeated';
    },
  };
}
