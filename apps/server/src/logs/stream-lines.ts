import { formatLogLine } from '@longshore/contract';
import type { OpenLines } from './lines-of.ts';
import type { LogRecord } from './log-record.ts';

/** The longest a timer can wait. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * Text made of batches, at the reader's pace: the next batch is asked for when the last one has been taken. It ends
 * with the batches, when the reader leaves, or when the time is up.
 */
export function streamLines(open: OpenLines, lifetimeMs: number): ReadableStream<Uint8Array> {
  const left = new AbortController();
  const batches = limited(open, left, lifetimeMs);
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await batches.next();
        if (left.signal.aborted || done) controller.close();
        else controller.enqueue(encodeBatch(value));
      },
      async cancel() {
        left.abort();
        await batches.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

async function* limited(
  open: OpenLines,
  left: AbortController,
  lifetimeMs: number,
): AsyncGenerator<LogRecord[]> {
  const timer = setTimeout(() => left.abort(), Math.min(Math.max(0, lifetimeMs), MAX_TIMER_MS));
  try {
    yield* open(left.signal);
  } finally {
    clearTimeout(timer);
  }
}

function encodeBatch(records: LogRecord[]): Uint8Array {
  return Buffer.from(`${records.map(formatLogLine).join('\n')}\n`);
}
