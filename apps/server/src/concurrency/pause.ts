import type { Clock } from '@longshore/edge-contract';

/** Waits. Rejects with the reason of the signal. */
export async function pause(
  ms: number,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  const timer = clock.setTimeout(resolve, ms);
  try {
    await promise;
  } finally {
    clock.clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
