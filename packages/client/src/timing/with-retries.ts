import type { Clock } from '../ports.ts';

/** Short, because the user waits. A computer that changes its network is online again after about a second. */
const DELAYS_MS = [200, 800];

type RetryOptions = {
  clock?: Pick<Clock, 'setTimeout'>;
  /** All errors by default. */
  isRetryable?(error: unknown): boolean;
};

/** Repeats a download that failed. For requests that change nothing: the first one may have reached the server. */
export async function withRetries<Loaded>(
  load: () => Promise<Loaded>,
  { clock = globalThis, isRetryable = () => true }: RetryOptions = {},
): Promise<Loaded> {
  for (const delayMs of DELAYS_MS) {
    try {
      return await load();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      await new Promise<void>((resolve) => clock.setTimeout(resolve, delayMs));
    }
  }
  return await load();
}
