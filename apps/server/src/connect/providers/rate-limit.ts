const MIN_WAIT_MS = 1_000;
/** If the provider sends no time. GitHub's documentation asks for at least one minute. */
const DEFAULT_WAIT_MS = 60_000;
/** A later time is a mistake or malicious. */
const MAX_WAIT_MS = 24 * 60 * 60 * 1_000;

/** GitHub also uses 403, which can mean other things as well. */
export function isRateLimited({ status, headers }: Pick<Response, 'status' | 'headers'>): boolean {
  const isLimitReached = headers.get('x-ratelimit-remaining') === '0' || headers.has('retry-after');
  return status === 429 || (status === 403 && isLimitReached);
}

/** Reads `Retry-After`, in seconds or as a date, or the end of the rate-limit window, in seconds since 1970. */
export function retryAt(headers: Headers, now: number): Date {
  const after = headers.get('retry-after') ?? '';
  const reset = headers.get('ratelimit-reset') ?? headers.get('x-ratelimit-reset') ?? '';
  const at = parseRetryAfter(after, now) ?? secondsToMs(reset) ?? now + DEFAULT_WAIT_MS;
  return new Date(Math.min(Math.max(at, now + MIN_WAIT_MS), now + MAX_WAIT_MS));
}

function parseRetryAfter(after: string, now: number): number | undefined {
  const delayMs = secondsToMs(after);
  if (delayMs !== undefined) return now + delayMs;
  const date = after.endsWith('GMT') ? Date.parse(after) : Number.NaN;
  return Number.isNaN(date) ? undefined : date;
}

function secondsToMs(text: string): number | undefined {
  return /^\d{1,12}$/.test(text) ? Number(text) * 1_000 : undefined;
}
