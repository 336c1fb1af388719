import type { LogEntry } from './container-logs.ts';

/** The time of the newest entry of one output, and whether older ones are being sent again. */
type OutputState = { newest: string; isRepeating: boolean };

/**
 * Tells entries that Docker sends a second time. To a reader so slow that files were taken away before it came to them, it
 * sends some entries again from where the oldest file begins now. Entries of one output are otherwise in the order of their
 * times; those of two may not be.
 */
export function createRepeatDetector() {
  const outputs = new Map<number, OutputState>();

  return {
    /** `again` for the first one of a row. */
    classify(
      { at, output }: Pick<LogEntry, 'at' | 'output'>,
      now: number,
    ): 'new' | 'again' | 'repeated' {
      const known = outputs.get(output) ?? { newest: '', isRepeating: false };
      outputs.set(output, known);
      const isNew = at > known.newest || (at === known.newest && !known.isRepeating);
      // A newest one that is still to come was written before the machine's time was set back.
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
