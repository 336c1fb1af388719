import { describe, expect, it } from 'vitest';
import { durationText, elapsed, relativeTime } from './relative-time.ts';

const now = new Date('2025-06-01T12:00:00Z');
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1_000);

describe('a time', () => {
  it.each([
    [-30, 'just now'],
    [3, 'just now'],
    [59, 'just now'],
    [60, '1 minute ago'],
    [7_200, '2 hours ago'],
    [86_400, 'yesterday'],
    [86_400 * 21, '3 weeks ago'],
    [86_400 * 800, '2 years ago'],
  ])('%i seconds ago is shown as %s', (seconds, text) => {
    expect(relativeTime(secondsAgo(seconds), now)).toBe(text);
  });

  it.each([
    [0, '0 s'],
    [59_999, '59 s'],
    [185_000, '3 min 05 s'],
    [-5, '0 s'],
  ])('span of %i ms is shown as %s', (ms, text) => {
    expect(elapsed(0, ms)).toBe(text);
  });

  it.each([
    [0, 'under 1 s'],
    [999, 'under 1 s'],
    [1_000, '1 s'],
    [185_000, '3 min 05 s'],
  ])('a duration of %i ms is shown as %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
});
