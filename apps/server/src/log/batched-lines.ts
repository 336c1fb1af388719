type BatchOptions = { write: (text: string) => unknown; clock: LineClock };
type LineClock = {
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
};

export type BatchedLines = {
  add(line: string): void;
  /** Writes all waiting lines now. */
  flush(): void;
};

const MAX_WAIT_MS = 100;
const MAX_LENGTH = 16_384;

/** Combines lines into fewer writes: a write per line costs as much as the rest of a small response. */
export function batchLines({ write, clock }: BatchOptions): BatchedLines {
  let waiting = '';
  let timer: unknown;
  return {
    add(line) {
      waiting += line;
      if (waiting.length >= MAX_LENGTH) flush();
      else timer ??= clock.setTimeout(flush, MAX_WAIT_MS);
    },
    flush,
  };

  function flush(): void {
    clock.clearTimeout(timer);
    timer = undefined;
    const text = waiting;
    waiting = '';
    if (text !== '') write(text);
  }
}
