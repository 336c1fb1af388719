import { createStore, type Observable } from '@longshore/client';
import type { LogLine } from '@longshore/contract';

export type NumberedLine = LogLine & { number: number };
export type LogBuffer = Observable<NumberedLine[]> & { append(line: LogLine): void };

/** A person can scroll through this many; older ones make room. */
const MOST_LINES = 100_000;

/** Collects lines and tells the screen about them in batches. `schedule` runs the flush a little later. */
export function createLogBuffer(
  schedule: (flush: () => void) => void,
  mostLines = MOST_LINES,
): LogBuffer {
  const shown = createStore<NumberedLine[]>([]);
  let waiting: NumberedLine[] = [];
  let lastNumber = 0;

  function flush(): void {
    const lines = shown.state().concat(waiting);
    waiting = [];
    shown.set(lines.length > mostLines ? lines.slice(-mostLines) : lines);
  }

  return {
    state: shown.state,
    subscribe: shown.subscribe,
    append(line) {
      lastNumber += 1;
      waiting.push({ ...line, number: lastNumber });
      if (waiting.length === 1) schedule(flush);
    },
  };
}
