import { expect, it } from 'vitest';
import { sparkPaths } from './spark-paths.ts';

it.each([
  [[], []],
  [[null, null], []],
  [[0, 5, 10], ['M0 100L0 100L50 50L100 0']],
  [
    [0, null, 10],
    ['M0 100L0 100', 'M100 0L100 0'],
  ],
  [[20], ['M0 0L0 0']],
])('draws %j', (values, expected) => {
  expect(sparkPaths(values, 10)).toEqual(expected);
});
