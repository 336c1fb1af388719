import { createStore, type Observable } from '@longshore/client';
import type { LogLine } from '@longshore/contract';

export type NumberedLine = LogLine & { number: number };
export type LogBuffer = Observable<NumberedLine[]> & { append(line: LogLine): void };

/** Older lines are dropped. */
const MAX_LINES = 100_000;

/** Collects lines and publishes them in batches. `schedule` runs the flush a little later. */
export function createLogBuffer(
  schedule: (flush: () => void) => void,
  maxLines = MAX_LINES,
): LogBuffer {
  const published = createStore<NumberedLine[]>([]);
  let pending: NumberedLine[] = [];
  let lastNumber = 0;

  function flush(): void {
    const lines = published.state().concat(pending);
    pending = [];
    published.set(lines.length > maxLines ? lines.slice(-maxLines) : lines);
  }

  return {
    state: published.state,
    subscribe: published.subscribe,
    append(line) {
      lastNumber += 1;
      pending.push({ ...line, number: lastNumber });
      if (pending.length === 1) schedule(flush);
    },
  };
}
