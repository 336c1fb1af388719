import { expect, it } from 'vitest';
import { backoffDelayMs } from './retries.ts';

it.each([
  [1, 1_000],
  [2, 2_000],
  [5, 16_000],
  [9, 256_000],
  [10, 300_000],
  [1_000, 300_000],
])('waits after failure %i for %i ms', (attempts, delayMs) => {
  expect(backoffDelayMs(attempts)).toBe(delayMs);
});
