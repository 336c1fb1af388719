import type { Clock, Fetch } from '../ports.ts';
import { withRetries } from '../timing/with-retries.ts';

/**
 * A `fetch` that repeats a GET whose connection broke, for example because the computer changed its network. Other
 * methods are sent once: the server may have received them.
 */
export function retryReads(fetch: Fetch, clock: Clock): Fetch {
  return (url, init) => {
    const send = () => fetch(url, init);
    if ((init?.method ?? 'GET') !== 'GET') return send();
    // `fetch` throws a TypeError for network errors, and another error when it is aborted.
    const isRetryable = (error: unknown) => error instanceof TypeError && !init?.signal?.aborted;
    return withRetries(send, { clock, isRetryable });
  };
}
