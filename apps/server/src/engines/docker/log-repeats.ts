/** Docker may keep an entry behind a slightly later one, as two outputs write at the same time. */
const DISORDER_MS = 250;

/**
 * Tells entries that Docker sends a second time. To a reader so slow that files were taken away before it came to them, it
 * sends some entries again from where the oldest file begins now.
 */
export function createLogRepeats() {
  let newest = '';
  let isRepeating = false;

  return {
    /** `again` for the first one of a row. */
    look(at: string, now: number): 'new' | 'again' | 'repeated' {
      // A newest one that is still to come was written before the machine's time was set back.
      if (at > newest || Date.parse(newest) > now) {
        newest = at;
        isRepeating = false;
        return 'new';
      }
      if (isRepeating) return 'repeated';
      if (Date.parse(newest) - Date.parse(at) <= DISORDER_MS) return 'new';
      isRepeating = true;
      return 'again';
    },
  };
}
