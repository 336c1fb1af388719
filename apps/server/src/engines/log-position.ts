/** The number of entries in the log, counted from the first entry with the timestamp `at`. */
export type LogPosition = { at: string; count: number };

/**
 * Counts entries, so that a later reader continues exactly after the last one. Timestamps are not enough: two outputs may write at
 * the same time, and Docker may store an earlier entry after a later one, but always returns them in the same order. `before` is the
 * position of the previous reader; when its first entry no longer exists, all entries are new.
 */
export function createLogPosition(before: LogPosition | undefined) {
  let current = before && { at: before.at, count: 0 };
  let next: LogPosition | undefined;
  let complete = before;
  let highest = before?.at ?? '';
  let toSkip: number | undefined;

  function begin(at: string): number {
    if (at === before?.at) return before.count;
    current = undefined;
    highest = '';
    return 0;
  }

  function count(at: string): void {
    if (current !== undefined && at >= current.at) current.count += 1;
    if (next !== undefined && at >= next.at) next.count += 1;
    else if (next === undefined && at > highest) next = { at, count: 1 };
    current ??= next && { ...next };
    if (at > highest) highest = at;
  }

  return {
    /** Whether the entry is in the log already. */
    isKnown(at: string): boolean {
      toSkip ??= begin(at);
      if (toSkip === 0) return false;
      toSkip -= 1;
      count(at);
      return true;
    },
    /** Counts an entry. The next reader continues after it, unless it is a part of a line. */
    add(at: string, isComplete: boolean): void {
      count(at);
      if (isComplete) complete = current && { ...current };
    },
    /** The stream has ended: an incomplete line was the last one and is counted. */
    end(): void {
      if (toSkip === 0) complete = current && { ...current };
    },
    value: () => complete,
    /** Counts from a later entry on, so that Docker need not keep the first one forever. */
    advance(): void {
      if (next === undefined) return;
      current = next;
      next = undefined;
    },
  };
}
