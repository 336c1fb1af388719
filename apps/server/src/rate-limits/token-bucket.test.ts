import { describe, expect, it } from 'vitest';
import { type Bucket, returnToken, takeToken } from './token-bucket.ts';

const LIMIT = { capacity: 10, windowMs: 300_000 };
const NOW = 1_000_000;

const counted = (tokens: number, msAgo = 0): Bucket => ({ tokens, countedAt: NOW - msAgo });

describe('takeToken', () => {
  it.each<[string, Bucket | undefined, number]>([
    ['no bucket yet', undefined, 9],
    ['a full one', counted(10), 9],
    ['the last token', counted(1), 0],
    ['one that has refilled', counted(0, 300_000), 9],
    ['one that refilled long ago', counted(0, 900_000_000), 9],
    ['one that refilled by one token', counted(0, 30_000), 0],
    ['one counted in the future', counted(5, -60_000), 4],
  ])('allows with %s', (_, bucket, left) => {
    expect(takeToken(bucket, LIMIT, NOW)).toEqual({ isAllowed: true, bucket: counted(left) });
  });

  it.each<[string, Bucket, number, number]>([
    ['an empty one', counted(0), 30_000, 0],
    ['a half token', counted(0.5), 15_000, 0.5],
    ['one that refilled by less than a token', counted(0, 27_000), 3_000, 0.9],
    ['one counted in the future', counted(0, -60_000), 30_000, 0],
  ])('refuses with %s and returns the retry delay', (_, bucket, retryAfterMs, left) => {
    expect(takeToken(bucket, LIMIT, NOW)).toEqual({
      isAllowed: false,
      retryAfterMs,
      bucket: counted(left),
    });
  });

  it('allows a request after a flood as soon as one token has refilled', () => {
    let bucket: Bucket | undefined;
    for (let count = 0; count < 10_000; count += 1) ({ bucket } = takeToken(bucket, LIMIT, NOW));
    expect(takeToken(bucket, LIMIT, NOW).isAllowed).toBe(false);
    expect(takeToken(bucket, LIMIT, NOW + 30_000).isAllowed).toBe(true);
  });
});

describe('returnToken', () => {
  it.each<[string, Bucket | undefined, number]>([
    ['an empty bucket', counted(0), 1],
    ['a full bucket', counted(10), 10],
    ['a dropped bucket', undefined, 10],
  ])('returns a token to %s', (_, bucket, tokens) => {
    expect(returnToken(bucket, LIMIT, NOW)).toEqual(counted(tokens));
  });
});
