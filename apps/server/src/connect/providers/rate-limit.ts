const MIN_WAIT_MS = 1_000;
/** Where a provider does not say; GitHub asks for at least that. */
const USUAL_WAIT_MS = 60_000;
/** No limit lasts longer; a later time is a mistake, or meant badly. */
const MAX_WAIT_MS = 24 * 60 * 60 * 1_000;

/** GitHub refuses with 403 too, which can mean other things as well. */
export function isRateLimited({ status, headers }: Pick<Response, 'status' | 'headers'>): boolean {
  const isSpent = headers.get('x-ratelimit-remaining') === '0' || headers.has('retry-after');
  return status === 429 || (status === 403 && isSpent);
}

/** When to ask again: in so many seconds, at a date, or when the window ends, in seconds since 1970. */
export function retryAt(headers: Headers, now: number): Date {
  const after = headers.get('retry-after') ?? '';
  const reset = headers.get('ratelimit-reset') ?? headers.get('x-ratelimit-reset') ?? '';
  const at = afterOf(after, now) ?? secondsOf(reset) ?? now + USUAL_WAIT_MS;
  return new Date(Math.min(Math.max(at, now + MIN_WAIT_MS), now + MAX_WAIT_MS));
}

function afterOf(after: string, now: number): number | undefined {
  const delayMs = secondsOf(after);
  if (delayMs !== undefined) return now + delayMs;
  const date = after.endsWith('GMT') ? Date.parse(after) : Number.NaN;
  return Number.isNaN(date) ? undefined : date;
}

function secondsOf(text: string): number | undefined {
  return /^\d{1,12}$/.test(text) ? Number(text) * 1_000 : undefined;
}
