import type { LogLine } from '@longshore/contract';

/**
 * A stream that was taken up again first repeats its last lines. This lets through only what follows the
 * lines already seen: the longest run that both ends them and begins the repetition. Nothing in a line
 * of a server without numbers tells its place, so lines are held back as long as they could still be a repetition.
 */
export type Continuation = {
  /** The new lines that this one brings to light. */
  push(line: LogLine): LogLine[];
  /** What was still held back when the stream ended. */
  end(): LogLine[];
};

export function createContinuation(seen: readonly LogLine[]): Continuation {
  let starts = seen.map((_, index) => index);
  let repeated: LogLine[] = [];
  let overlap = 0;
  let isDecided = seen.length === 0;

  function decide(): LogLine[] {
    const fresh = repeated.slice(overlap);
    isDecided = true;
    repeated = [];
    return fresh;
  }

  return {
    push(line) {
      if (isDecided) return [line];
      const place = repeated.length;
      repeated.push(line);
      starts = starts.filter((start) => isSame(seen[start + place], line));
      if (starts.some((start) => start + place === seen.length - 1)) overlap = place + 1;
      starts = starts.filter((start) => start + place < seen.length - 1);
      return starts.length === 0 ? decide() : [];
    },
    end: () => (isDecided ? [] : decide()),
  };
}

function isSame(one: LogLine | undefined, other: LogLine): boolean {
  return one?.name === other.name && one.text === other.text;
}
