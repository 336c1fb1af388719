import type { LogLine } from '@longshore/contract';

/**
 * A stream without sequence numbers repeats its last lines after a reconnect. This drops the repetition: the longest
 * sequence that is both the end of the lines already seen and the start of the new stream. Lines are held back as long as
 * they could still belong to the repetition.
 */
export type Continuation = {
  /** The lines that are now known to be new. */
  push(line: LogLine): LogLine[];
  /** The lines that were still held back when the stream ended. */
  end(): LogLine[];
};

export function createContinuation(seen: readonly LogLine[]): Continuation {
  let starts = seen.map((_, start) => start);
  let heldBack: LogLine[] = [];
  let overlap = 0;
  let isDecided = seen.length === 0;

  function decide(): LogLine[] {
    const newLines = heldBack.slice(overlap);
    isDecided = true;
    heldBack = [];
    return newLines;
  }

  return {
    push(line) {
      if (isDecided) return [line];
      const index = heldBack.length;
      heldBack.push(line);
      starts = starts.filter((start) => isSameLine(seen[start + index], line));
      if (starts.some((start) => start + index === seen.length - 1)) overlap = index + 1;
      starts = starts.filter((start) => start + index < seen.length - 1);
      return starts.length === 0 ? decide() : [];
    },
    end: () => (isDecided ? [] : decide()),
  };
}

function isSameLine(one: LogLine | undefined, other: LogLine): boolean {
  return one?.name === other.name && one.text === other.text;
}
