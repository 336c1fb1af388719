import type { LogReader } from './log-reader.ts';
import type { LogRecord } from './log-record.ts';

/** The maximum delay of a Node timer. */
const MAX_TIMER_MS = 2_147_483_647;

/** The stream ends when the client disconnects or after `lifetimeMs`. `onEnd` may be called more than once. */
type StreamLifetime = {
  client: AbortSignal;
  lifetimeMs: number;
  /** The stream also ends if the client reads nothing for so long. */
  idleMs?: number;
  /** A stream that ends before its last batch fails, so that its client does not take a part for the whole. */
  isCompleteOnly?: boolean;
  onEnd?: () => void;
};

/**
 * A byte stream of encoded batches with backpressure: a batch is only read when the previous one was consumed. It ends
 * after the last batch, when the client disconnects, or when its lifetime is over.
 */
export function streamLines(
  read: LogReader,
  encode: (records: LogRecord[]) => Uint8Array,
  lifetime: StreamLifetime,
): ReadableStream<Uint8Array> {
  const { client, lifetimeMs, idleMs, isCompleteOnly = false, onEnd = () => {} } = lifetime;
  const reading = new AbortController();
  const batches = read(reading.signal);
  const lifetimeTimer = startTimer(lifetimeMs, end);
  let idleTimer = idleMs === undefined ? undefined : startTimer(idleMs, end);
  /** All lines were sent, or nobody reads them. */
  let isFinished = false;
  let fail = () => {};
  // The client may disconnect before the stream is pulled or cancelled; only the request's signal reports that.
  client.addEventListener('abort', finish, { once: true });
  if (client.aborted) finish();
  return new ReadableStream(
    {
      start(controller) {
        if (isCompleteOnly) fail = () => controller.error(new StreamCut());
      },
      async pull(controller) {
        clearTimeout(idleTimer);
        const { done, value } = await nextBatch();
        if (reading.signal.aborted) {
          if (isFinished || !isCompleteOnly) controller.close();
          else fail();
        } else if (done) {
          finish();
          controller.close();
        } else {
          controller.enqueue(encode(value));
          if (idleMs !== undefined) idleTimer = startTimer(idleMs, end);
        }
      },
      cancel: finish,
    },
    { highWaterMark: 0 },
  );

  async function nextBatch(): Promise<IteratorResult<LogRecord[]>> {
    try {
      return await batches.next();
    } catch (error) {
      finish();
      throw error;
    }
  }

  function finish(): void {
    isFinished = true;
    end();
  }

  function end(): void {
    clearTimeout(lifetimeTimer);
    clearTimeout(idleTimer);
    client.removeEventListener('abort', finish);
    reading.abort();
    onEnd();
    void batches.return(undefined);
    // Nothing is pulled while the client does not read, so the stream fails here.
    if (!isFinished) fail();
  }
}

class StreamCut extends Error {
  override name = 'StreamCut';
  override message = 'The stream ended before its last line';
}

/** Must not keep a stopped server's process alive. */
function startTimer(delayMs: number, onTimeout: () => void): NodeJS.Timeout {
  return setTimeout(onTimeout, Math.min(Math.max(0, delayMs), MAX_TIMER_MS)).unref();
}
