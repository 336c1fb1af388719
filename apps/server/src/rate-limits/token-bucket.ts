/** A bucket holds `capacity` tokens and refills completely within the window. */
export type Limit = { capacity: number; windowMs: number };

export type Bucket = {
  tokens: number;
  /** The time of the count, in milliseconds since the epoch. */
  countedAt: number;
};

export type Verdict = { isAllowed: true } | { isAllowed: false; retryAfterMs: number };

export type Taken = { bucket: Bucket } & Verdict;

/** Takes one token. A missing bucket counts as full. */
export function takeToken(bucket: Bucket | undefined, limit: Limit, now: number): Taken {
  const tokens = tokensNow(bucket, limit, now);
  if (tokens >= 1) return { isAllowed: true, bucket: { tokens: tokens - 1, countedAt: now } };
  return { ...refusal(tokens, limit), bucket: { tokens, countedAt: now } };
}

/** With less than one token. */
export function refusal(tokens: number, limit: Limit): Verdict {
  const retryAfterMs = Math.ceil(((1 - tokens) * limit.windowMs) / limit.capacity);
  return { isAllowed: false, retryAfterMs };
}

/** Puts back a token, for a request that should not count. */
export function returnToken(bucket: Bucket | undefined, limit: Limit, now: number): Bucket {
  const tokens = Math.min(limit.capacity, tokensNow(bucket, limit, now) + 1);
  return { tokens, countedAt: now };
}

function tokensNow(bucket: Bucket | undefined, limit: Limit, now: number): number {
  if (bucket === undefined) return limit.capacity;
  // A clock that was set back neither adds nor removes tokens.
  const elapsedMs = Math.max(0, now - bucket.countedAt);
  return Math.min(limit.capacity, bucket.tokens + (elapsedMs * limit.capacity) / limit.windowMs);
}
