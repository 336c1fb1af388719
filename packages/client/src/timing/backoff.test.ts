import { describe, expect, it } from 'vitest';
import { openTimeoutMs, reconnectDelayMs, tokenRetryDelayMs } from './backoff.ts';

describe('back-off', () => {
  it.each([
    [1, 5_000],
    [2, 10_000],
    [3, 20_000],
    [4, 40_000],
    [5, 80_000],
  ])('after %i failed token requests waits %i ms', (attempts, delayMs) => {
    expect(tokenRetryDelayMs(attempts)).toBe(delayMs);
  });

  it.each([
    [1, 100],
    [2, 200],
    [3, 400],
    [7, 6_400],
    [8, 10_000],
    [5_000, 10_000],
  ])('after %i failed connections waits %i ms', (attempts, delayMs) => {
    expect(reconnectDelayMs(attempts)).toBe(delayMs);
  });

  it.each([
    [0, 1_000],
    [1, 1_200],
    [2, 1_440],
    [18, 26_623],
    [19, 30_000],
    [5_000, 30_000],
  ])('after %i failed connections allows %i ms to open the next', (attempts, withinMs) => {
    expect(openTimeoutMs(attempts)).toBe(withinMs);
  });
});
