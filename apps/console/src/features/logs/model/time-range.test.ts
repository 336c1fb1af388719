import { expect, it } from 'vitest';
import { ALL_TIME, type TimeRangeName, timesOf } from './time-range.ts';

const NOW = Date.parse('2026-01-31T12:00:00Z');
const MINUTE = 60_000;

it.each<[TimeRangeName, number | undefined]>([
  ['all', undefined],
  ['15-minutes', NOW - 15 * MINUTE],
  ['hour', NOW - 60 * MINUTE],
  ['day', NOW - 24 * 60 * MINUTE],
])('the range %s begins at %j and has no end', (name, from) => {
  expect(timesOf({ ...ALL_TIME, name }, NOW)).toEqual({ from, to: undefined });
});

const local = (hour: number, minute: number) => new Date(2026, 0, 31, hour, minute).getTime();

it.each([
  ['', '', { from: undefined, to: undefined }],
  ['2026-01-31T09:30', '', { from: local(9, 30), to: undefined }],
  ['', '2026-01-31T09:30', { from: undefined, to: local(9, 31) - 1 }],
  ['2026-01-31T09:30', '2026-01-31T09:30', { from: local(9, 30), to: local(9, 31) - 1 }],
  ['2026-01-31T09:30', '2026-01-31T09:29', undefined],
])('the custom range from %j to %j is %j', (from, to, times) => {
  expect(timesOf({ name: 'custom', from, to }, NOW)).toEqual(times);
});

it('ignores the custom times of another range', () => {
  const range = { name: 'all', from: '2026-01-31T09:30', to: '2026-01-31T09:29' } as const;
  expect(timesOf(range, NOW)).toEqual({ from: undefined, to: undefined });
});
