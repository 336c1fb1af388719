import { expect, it } from 'vitest';
import { nextPosition } from './next-position.ts';

it.each([
  ['ArrowDown', 0, 3, 1],
  ['ArrowDown', 2, 3, 0],
  ['ArrowUp', 0, 3, 2],
  ['PageDown', 0, 3, 2],
  ['PageUp', 9, 20, 1],
  ['a', 0, 3, undefined],
  ['ArrowDown', 0, 0, undefined],
])('%s at %i of %i moves to %s', (key, from, count, to) => {
  expect(nextPosition(key, from, count)).toBe(to);
});
