/** How far a container's entries are told: so many from the first one of that time on. */
export type LogPosition = { at: string; told: number };

/**
 * Counts entries, so that a later reader goes on exactly behind the last one. Times alone do not do: two outputs may write at one
 * time, and Docker may keep an earlier entry behind a later one. But it always tells them in the same order. `before` is where the
 * reader before stopped; when its first entry is not there any more, what follows is all new.
 */
export function createLogPosition(before: LogPosition | undefined) {
  let mark = before && { at: before.at, told: 0 };
  let next: LogPosition | undefined;
  let whole = before;
  let highest = before?.at ?? '';
  let toSkip: number | undefined;

  function begin(at: string): number {
    if (at === before?.at) return before.told;
    mark = undefined;
    highest = '';
    return 0;
  }

  function count(at: string): void {
    if (mark !== undefined && at >= mark.at) mark.told += 1;
    if (next !== undefined && at >= next.at) next.told += 1;
    else if (next === undefined && at > highest) next = { at, told: 1 };
    mark ??= next && { ...next };
    if (at > highest) highest = at;
  }

  return {
    /** Whether the entry was told before. */
    isTold(at: string): boolean {
      toSkip ??= begin(at);
      if (toSkip === 0) return false;
      toSkip -= 1;
      count(at);
      return true;
    },
    /** The entry is told; unless it is the part of a line, the next reader goes on behind it. */
    tell(at: string, isWhole: boolean): void {
      count(at);
      if (isWhole) whole = mark && { ...mark };
    },
    /** There is no more: the part of a line was its last, and is told. */
    end(): void {
      if (toSkip === 0) whole = mark && { ...mark };
    },
    value: () => whole,
    /** Counts from a later entry on, which was told since the last call of this: entries need not be kept for ever. */
    advance(): void {
      if (next === undefined) return;
      mark = next;
      next = undefined;
    },
  };
}
