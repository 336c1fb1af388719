import { expect, it } from 'vitest';
import { isDoubleClick } from './use-double-click-guard.ts';

it.each([
  [0, 80, true],
  [1_000, 1_500, true],
  [1_000, 1_501, false],
  [0, 60_000, false],
])('a press at %i ms and one at %i ms are a double click: %s', (first, second, expected) => {
  expect(isDoubleClick(first, second)).toBe(expected);
});
