import type { Clock } from '@longshore/edge-contract';

export type BodyOptions = {
  clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>;
  /** The error if the client disconnects. */
  cutOff(cause: unknown): Error;
  /** The error if nothing arrives for a while. */
  stalled(): Error;
  /** Ends the wait for the next bytes. */
  signal?: AbortSignal;
};

const STALL_MS = 30_000;

/**
 * The body as it arrives. The body is not cancelled when reading stops early: that would close the connection before
 * the client has read the response.
 */
export async function* bodyChunks(
  { body }: Request,
  { clock, cutOff, stalled, signal }: BodyOptions,
): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  for (;;) {
    const { promise: waited, reject } = Promise.withResolvers<never>();
    const timer = clock.setTimeout(() => reject(stalled()), STALL_MS);
    const abort = () => reject(signal?.reason);
    signal?.addEventListener('abort', abort);
    try {
      signal?.throwIfAborted();
      const reading = reader?.read().catch((cause: unknown) => {
        throw cutOff(cause);
      });
      const chunk = await Promise.race([reading, waited]);
      if (chunk?.value === undefined) return;
      yield chunk.value;
    } finally {
      clock.clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }
}
