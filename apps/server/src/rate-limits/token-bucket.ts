/** So many at once, and so many again over the window. */
export type Limit = { capacity: number; windowMs: number };

export type Bucket = {
  tokens: number;
  /** When the tokens were counted, in milliseconds since the epoch. */
  countedAt: number;
};

export type Taken = { bucket: Bucket } & (
  | { isAllowed: true }
  | { isAllowed: false; retryAfterMs: number }
);

/** Takes one token out of a bucket that fills steadily. No bucket yet counts as a full one. */
export function takeToken(bucket: Bucket | undefined, limit: Limit, now: number): Taken {
  const tokens = tokensNow(bucket, limit, now);
  if (tokens >= 1) return { isAllowed: true, bucket: { tokens: tokens - 1, countedAt: now } };
  const retryAfterMs = Math.ceil(((1 - tokens) * limit.windowMs) / limit.capacity);
  return { isAllowed: false, retryAfterMs, bucket: { tokens, countedAt: now } };
}

/** Undoes a taking that should not have counted. */
export function returnToken(bucket: Bucket | undefined, limit: Limit, now: number): Bucket {
  const tokens = Math.min(limit.capacity, tokensNow(bucket, limit, now) + 1);
  return { tokens, countedAt: now };
}

function tokensNow(bucket: Bucket | undefined, limit: Limit, now: number): number {
  if (bucket === undefined) return limit.capacity;
  // A clock that was set back refills nothing, and takes nothing away.
  const elapsedMs = Math.max(0, now - bucket.countedAt);
  return Math.min(limit.capacity, bucket.tokens + (elapsedMs * limit.capacity) / limit.windowMs);
}
