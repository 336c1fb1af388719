import type { LogRecord } from './log-record.ts';
import type { OpenLines } from './open-lines.ts';

/** The longest a timer can wait. */
const MAX_TIMER_MS = 2_147_483_647;

/** When a reader is let go: when it leaves by itself, and when its time is up. `left` is called then. */
type ReaderLife = { client: AbortSignal; lifetimeMs: number; left?: () => void };

/**
 * Text made of batches, at the reader's pace: the next batch is asked for when the last one has been taken. It ends
 * with the batches, when the reader leaves, or when the time is up.
 */
export function streamLines(
  open: OpenLines,
  encode: (records: LogRecord[]) => Uint8Array,
  { client, lifetimeMs, left = () => {} }: ReaderLife,
): ReadableStream<Uint8Array> {
  const leaving = new AbortController();
  const batches = open(leaving.signal);
  const timeMs = Math.min(Math.max(0, lifetimeMs), MAX_TIMER_MS);
  // Cutting a reader off is no reason for a stopped server to live on.
  const timer = setTimeout(leave, timeMs).unref();
  // A reader may be gone before anybody pulls, or cancels: the request knows.
  client.addEventListener('abort', leave, { once: true });
  if (client.aborted) leave();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await next();
        if (!leaving.signal.aborted && !done) controller.enqueue(encode(value));
        else {
          leave();
          controller.close();
        }
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );

  async function next(): Promise<IteratorResult<LogRecord[]>> {
    try {
      return await batches.next();
    } catch (error) {
      leave();
      throw error;
    }
  }

  function leave(): void {
    clearTimeout(timer);
    client.removeEventListener('abort', leave);
    leaving.abort();
    left();
    void batches.return(undefined);
  }
}
