import { expect, it } from 'vitest';
import { nextActiveOption } from './use-list-keys.ts';

it.each([
  ['ArrowDown', 0, 3, 1],
  ['ArrowDown', 2, 3, 0],
  ['ArrowDown', -1, 3, 0],
  ['ArrowUp', 1, 3, 0],
  ['ArrowUp', 0, 3, 2],
  ['ArrowUp', -1, 3, 2],
  ['ArrowDown', 0, 0, undefined],
  ['Home', 1, 3, undefined],
  ['a', 1, 3, undefined],
])('%s at %i of %i moves to %s', (key, at, count, next) => {
  expect(nextActiveOption(key, at, count)).toBe(next);
});
