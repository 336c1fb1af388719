import { expect, it } from 'vitest';
import { pauseMs, retryDelayMs } from './throttled-run.ts';

it.each([
  [0, 0],
  [2, 6],
  [100, 300],
  [15_000, 1_000],
])('pauses three times as long as it ran, and a second at most: %i ms', (tookMs, pause) => {
  expect(pauseMs(tookMs)).toBe(pause);
});

it.each([
  [1, 100],
  [2, 200],
  [5, 1_600],
  [7, 5_000],
  [1_000, 5_000],
])('delays retries longer after each failure: %i', (failures, delay) => {
  expect(retryDelayMs(failures)).toBe(delay);
});
