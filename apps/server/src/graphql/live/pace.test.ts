import { expect, it } from 'vitest';
import { restMs, retryMs } from './pace.ts';

it.each([
  [0, 0],
  [2, 6],
  [100, 300],
  [15_000, 1_000],
])('rests three times as long as it ran, and a second at most: %i ms', (tookMs, rest) => {
  expect(restMs(tookMs)).toBe(rest);
});

it.each([
  [1, 100],
  [2, 200],
  [5, 1_600],
  [7, 5_000],
  [1_000, 5_000],
])('waits longer after each failure: %i', (failures, wait) => {
  expect(retryMs(failures)).toBe(wait);
});
