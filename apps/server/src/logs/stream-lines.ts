import { formatLogLine } from '@longshore/contract';
import type { OpenLines } from './lines-of.ts';
import type { LogRecord } from './log-record.ts';

/** The longest a timer can wait. */
const MAX_TIMER_MS = 2_147_483_647;

/** When a reader is let go: when it leaves by itself, and when its time is up. */
type ReaderLife = { client: AbortSignal; lifetimeMs: number };

/**
 * Text made of batches, at the reader's pace: the next batch is asked for when the last one has been taken. It ends
 * with the batches, when the reader leaves, or when the time is up.
 */
export function streamLines(
  open: OpenLines,
  { client, lifetimeMs }: ReaderLife,
): ReadableStream<Uint8Array> {
  const left = new AbortController();
  const batches = open(left.signal);
  const timeMs = Math.min(Math.max(0, lifetimeMs), MAX_TIMER_MS);
  // Cutting a reader off is no reason for a stopped server to live on.
  const timer = setTimeout(leave, timeMs).unref();
  // A reader may be gone before anybody pulls, or cancels: the request knows.
  client.addEventListener('abort', leave, { once: true });
  if (client.aborted) leave();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await batches.next();
        if (!left.signal.aborted && !done) controller.enqueue(encodeBatch(value));
        else {
          leave();
          controller.close();
        }
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );

  function leave(): void {
    clearTimeout(timer);
    client.removeEventListener('abort', leave);
    left.abort();
    void batches.return(undefined);
  }
}

function encodeBatch(records: LogRecord[]): Uint8Array {
  return Buffer.from(`${records.map(formatLogLine).join('\n')}\n`);
}
