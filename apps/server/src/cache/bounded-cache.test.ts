import { expect, it } from 'vitest';
import { createBoundedCache } from './bounded-cache.ts';

it('drops the oldest entry when it is full', () => {
  const cache = createBoundedCache<number>(2);
  cache.set('a', 1);
  cache.set('b', 2);
  cache.set('a', 3);
  expect(['a', 'b'].map(cache.get)).toEqual([3, 2]);
  cache.set('c', 4);
  expect(['a', 'b', 'c'].map(cache.get)).toEqual([undefined, 2, 4]);
});
