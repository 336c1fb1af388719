import { expect, it } from 'vitest';
import { createBuckets } from './buckets.ts';

const ONCE = { capacity: 1, windowMs: 60_000 };

function start(maxBuckets?: number) {
  const clock = { at: 0, now: () => clock.at };
  const buckets = createBuckets({ clock, ...(maxBuckets && { maxBuckets }) });
  return { clock, buckets, take: (key: string) => buckets.take(key, ONCE).isAllowed };
}

it('counts keys separately and refills over time', () => {
  const { clock, take } = start();
  expect([take('a'), take('a'), take('b')]).toEqual([true, false, true]);
  clock.at = 60_000;
  expect(take('a')).toBe(true);
});

it('refunds a token', () => {
  const { buckets, take } = start();
  take('a');
  buckets.refund('a', ONCE);
  expect([take('a'), take('a')]).toEqual([true, false]);
});

it('drops the least recently used key above the maximum', () => {
  const { take } = start(2);
  take('a');
  take('b');
  take('a');
  take('c');
  expect(take('a')).toBe(false);
  expect(take('b')).toBe(true);
});

it('keeps no full bucket, so that refunded requests drop no other key', () => {
  const { buckets, take } = start(2);
  take('guessed');
  for (const key of ['a', 'b', 'c']) {
    take(key);
    buckets.refund(key, ONCE);
  }
  expect(take('guessed')).toBe(false);
});
