import { expect, it } from 'vitest';
import { parseSleep, sleepMinutesProblem } from './sleep.ts';

const PROBLEM = 'Must be a whole number of minutes between 1 and 1440';

it.each([
  [undefined, undefined],
  [null, undefined],
  [{ afterMinutes: 1 }, { afterMinutes: 1 }],
  [{ afterMinutes: 1_440 }, { afterMinutes: 1_440 }],
  [{ afterMinutes: 10, untilMinutes: 3 }, { afterMinutes: 10 }],
])('parses %j to %j', (sleep, value) => {
  expect(parseSleep(sleep)).toEqual({ ok: true, value });
});

it.each([
  true,
  10,
  [],
  {},
  { afterMinutes: 0 },
  { afterMinutes: 1_441 },
  { afterMinutes: 1.5 },
  { afterMinutes: '10' },
  { afterMinutes: Number.NaN },
])('rejects %j', (sleep) => {
  expect(parseSleep(sleep)).toEqual({ ok: false, field: 'sleep.afterMinutes', message: PROBLEM });
});

it.each([
  ['10', undefined],
  [' 10 ', undefined],
  ['', PROBLEM],
  ['0', PROBLEM],
  ['-1', PROBLEM],
  ['1e3', PROBLEM],
  ['1441', PROBLEM],
  ['ten', PROBLEM],
])('the problem of the entered minutes %j is %s', (minutes, problem) => {
  expect(sleepMinutesProblem(minutes)).toBe(problem);
});
