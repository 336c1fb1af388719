import { expect, it, vi } from 'vitest';
import { boundedCache } from './bounded-cache.ts';

it('computes the value of a key once', () => {
  const compute = vi.fn((key: string) => key.toUpperCase());
  const cached = boundedCache(compute, 2);
  expect([cached('a'), cached('a'), cached('b'), cached('a')]).toEqual(['A', 'A', 'B', 'A']);
  expect(compute).toHaveBeenCalledTimes(2);
});

it('starts over when it is full', () => {
  const compute = vi.fn((key: string) => key);
  const cached = boundedCache(compute, 2);
  for (const key of ['a', 'b', 'c', 'a']) cached(key);
  expect(compute).toHaveBeenCalledTimes(4);
});

it('keeps no long key', () => {
  const compute = vi.fn((key: string) => key);
  const cached = boundedCache(compute, 2);
  const long = 'a'.repeat(65);
  expect([cached(long), cached(long)]).toEqual([long, long]);
  expect(compute).toHaveBeenCalledTimes(2);
});
