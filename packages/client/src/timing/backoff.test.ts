import { describe, expect, it } from 'vitest';
import { reconnectDelayMs, tokenRetryDelayMs } from './backoff.ts';

describe('back-off', () => {
  it.each([
    [1, 5_000],
    [2, 10_000],
    [3, 20_000],
    [4, 40_000],
    [5, 80_000],
  ])('waits after %i failed token calls for %i ms', (attempts, delayMs) => {
    expect(tokenRetryDelayMs(attempts)).toBe(delayMs);
  });

  it.each([
    [1, 100],
    [2, 200],
    [3, 400],
    [7, 6_400],
    [8, 10_000],
    [5_000, 10_000],
  ])('waits after %i lost connections for %i ms', (attempts, delayMs) => {
    expect(reconnectDelayMs(attempts)).toBe(delayMs);
  });
});
