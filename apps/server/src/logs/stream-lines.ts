import type { LogReader } from './log-reader.ts';
import type { LogRecord } from './log-record.ts';

/** The maximum delay of a Node timer. */
const MAX_TIMER_MS = 2_147_483_647;

/** The stream ends when the client disconnects or after `lifetimeMs`. `onEnd` may be called more than once. */
type StreamLifetime = { client: AbortSignal; lifetimeMs: number; onEnd?: () => void };

/**
 * A byte stream of encoded batches with backpressure: a batch is only read when the previous one was consumed. It ends
 * after the last batch, when the client disconnects, or when its lifetime is over.
 */
export function streamLines(
  read: LogReader,
  encode: (records: LogRecord[]) => Uint8Array,
  { client, lifetimeMs, onEnd = () => {} }: StreamLifetime,
): ReadableStream<Uint8Array> {
  const reading = new AbortController();
  const batches = read(reading.signal);
  const timerMs = Math.min(Math.max(0, lifetimeMs), MAX_TIMER_MS);
  // The timer must not keep a stopped server's process alive.
  const timer = setTimeout(end, timerMs).unref();
  // The client may disconnect before the stream is pulled or cancelled; only the request's signal reports that.
  client.addEventListener('abort', end, { once: true });
  if (client.aborted) end();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await nextBatch();
        if (!reading.signal.aborted && !done) controller.enqueue(encode(value));
        else {
          end();
          controller.close();
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );

  async function nextBatch(): Promise<IteratorResult<LogRecord[]>> {
    try {
      return await batches.next();
    } catch (error) {
      end();
      throw error;
    }
  }

  function end(): void {
    clearTimeout(timer);
    client.removeEventListener('abort', end);
    reading.abort();
    onEnd();
    void batches.return(undefined);
  }
}
