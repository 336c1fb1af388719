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
    ['one that filled up meanwhile', counted(0, 300_000), 9],
    ['one that filled up long ago', counted(0, 900_000_000), 9],
    ['one that got one token back', counted(0, 30_000), 0],
    ['one of a clock that ran ahead', counted(5, -60_000), 4],
  ])('allows with %s', (_, bucket, left) => {
    expect(takeToken(bucket, LIMIT, NOW)).toEqual({ isAllowed: true, bucket: counted(left) });
  });

  it.each<[string, Bucket, number, number]>([
    ['an empty one', counted(0), 30_000, 0],
    ['a half token', counted(0.5), 15_000, 0.5],
    ['one that filled a little', counted(0, 27_000), 3_000, 0.9],
    ['one of a clock that ran ahead', counted(0, -60_000), 30_000, 0],
  ])('refuses with %s, and says how long to wait', (_, bucket, retryAfterMs, left) => {
    expect(takeToken(bucket, LIMIT, NOW)).toEqual({
      isAllowed: false,
      retryAfterMs,
      bucket: counted(left),
    });
  });

  it('lets somebody in again after a flood, as soon as one window has passed', () => {
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
    ['a bucket that was forgotten', undefined, 10],
  ])('puts one back into %s', (_, bucket, tokens) => {
    expect(returnToken(bucket, LIMIT, NOW)).toEqual(counted(tokens));
  });
});
