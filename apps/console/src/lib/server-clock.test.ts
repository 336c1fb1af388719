import { describe, expect, it } from 'vitest';
import { serverAheadMs } from './server-clock.ts';

const sentAt = Date.parse('2025-06-01T12:00:00.000Z');
const receivedAt = sentAt + 400;

describe('the clock of the server', () => {
  it.each([
    ['Sun, 01 Jun 2025 13:00:00 GMT', 3_600_000],
    ['Sun, 01 Jun 2025 11:00:00 GMT', -3_600_000],
  ])('that says %s is ahead by about %i ms', (date, ahead) => {
    expect(Math.abs(serverAheadMs(date, { sentAt, receivedAt }) - ahead)).toBeLessThan(1_000);
  });

  it.each([
    ['Sun, 01 Jun 2025 12:00:01 GMT'],
    ['Sun, 01 Jun 2025 11:59:59 GMT'],
    ['not a date'],
    [null],
  ])('that says %s is taken for our own', (date) => {
    expect(serverAheadMs(date, { sentAt, receivedAt })).toBe(0);
  });
});
