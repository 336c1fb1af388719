import { LATENCY_BOUNDS_MS } from '@longshore/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { percentile } from './percentile.ts';

it.each<[string, number[], number, number | null]>([
  ['no requests', [], 0.5, null],
  ['no requests in any bucket', Array(12).fill(0), 0.99, null],
  ['the middle of the first bucket', [10], 0.5, 2.5],
  ['the end of the first bucket', [10], 1, 5],
  ['the second bucket', [0, 10], 0.5, 7.5],
  ['a slow one of a hundred', [99, 0, 0, 0, 0, 0, 1], 0.99, 5],
  ['two slow ones of a hundred', [98, 0, 0, 0, 0, 0, 2], 0.99, 375],
  ['slower than the last bound', [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5], 0.5, 10_000],
])('of %s', (_, counts, share, expected) => {
  expect(percentile(counts, share)).toEqual(expected);
});

it('grows with the share and stays within the bounds', () => {
  const counts = fc.array(fc.nat(1_000), { minLength: 12, maxLength: 12 });
  fc.assert(
    fc.property(counts, (each) => {
      const values = [0.5, 0.95, 0.99].map((share) => percentile(each, share) ?? 0);
      expect(values).toEqual([...values].sort((one, other) => one - other));
      expect(Math.max(...values)).toBeLessThanOrEqual(LATENCY_BOUNDS_MS.at(-1) ?? 0);
    }),
  );
});
