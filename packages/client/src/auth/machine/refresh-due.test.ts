import { describe, expect, it } from 'vitest';
import { isRefreshDue, refreshMarginMs } from './refresh-due.ts';

const NOW = 1_000_000;

describe('the refresh margin', () => {
  it.each([
    [900, 61_000],
    [120, 61_000],
    [60, 31_000],
    [15, 8_500],
  ])('of a token with a lifetime of %i s is %i ms', (lifetimeSeconds, marginMs) => {
    expect(refreshMarginMs(lifetimeSeconds)).toBe(marginMs);
  });
});

describe('a refresh', () => {
  const fresh = { startedAt: NOW, attempts: 0, lastAttemptAt: 0 };
  const failed = (attempts: number, agoMs: number) => ({
    startedAt: 0,
    attempts,
    lastAttemptAt: NOW - agoMs,
  });

  it.each([
    ['is not due while more than the margin remains', 61_000, fresh, false],
    ['is due when less than the margin remains', 60_999, fresh, true],
    ['is due when the token has expired', -1, fresh, true],
    ['waits 5 s after the first failure', 0, failed(1, 4_999), false],
    ['is tried again 5 s after the first failure', 0, failed(1, 5_000), true],
    ['waits 80 s after the fifth failure', 0, failed(5, 79_999), false],
    ['is tried again 80 s after the fifth failure', 0, failed(5, 80_000), true],
    ['is no longer tried after the sixth failure', 0, failed(6, 1_000_000), false],
  ])('%s', (_, remainingMs, timer, isDue) => {
    const expiresAt = NOW + remainingMs;
    expect(isRefreshDue({ now: NOW, expiresAt, lifetimeSeconds: 900, timer })).toBe(isDue);
  });

  it.each([
    [59_999, false],
    [60_000, true],
  ])('with an interval of 60 s is due after %i ms: %s', (ageMs, isDue) => {
    const timer = { ...fresh, startedAt: NOW - ageMs };
    const check = { now: NOW, expiresAt: NOW + 900_000, lifetimeSeconds: 900, timer };
    expect(isRefreshDue({ ...check, refreshIntervalSeconds: 60 })).toBe(isDue);
  });
});
