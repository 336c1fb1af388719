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

it('drops the oldest entries when it is too heavy', () => {
  const cache = createBoundedCache<string>(10, { maxWeight: 5, weightOf: ({ length }) => length });
  cache.set('a', '1');
  cache.set('b', '22');
  cache.set('b', '222');
  expect(['a', 'b'].map(cache.get)).toEqual(['1', '222']);
  cache.set('c', '33');
  expect(['a', 'b', 'c'].map(cache.get)).toEqual([undefined, '222', '33']);
  cache.set('d', '666666');
  expect(['b', 'c', 'd'].map(cache.get)).toEqual([undefined, undefined, undefined]);
});
