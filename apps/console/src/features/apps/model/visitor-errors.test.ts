import { expect, it } from 'vitest';
import { visitorErrors } from './visitor-errors.ts';

const MINUTE_MS = 60_000;
const NOON = Date.parse('2026-01-01T12:00:00Z');

/** The rows of the last minutes before noon, the newest last: [successes, server errors] of each. */
function rows(...minutes: [ok: number, errors: number][]) {
  return minutes.map(([ok, errors], index) => ({
    at: NOON - (minutes.length - 1 - index) * MINUTE_MS,
    statuses: [0, ok, 0, 0, errors],
    latencies: [],
  }));
}

const LONG_AGO = {
  app: { updatedAt: '2025-12-01T00:00:00Z' },
  release: { endedAt: '2025-12-01T00:00:10Z' },
};
const none = undefined;

it.each([
  ['no requests', [], none],
  ['only successes', rows([9, 0]), none],
  ['one error, which may be an accident', rows([0, 1]), none],
  ['a visit with two errors', rows([0, 2]), { errors: 2, requests: 2 }],
  ['half of the requests', rows([3, 3]), { errors: 3, requests: 6 }],
  ['fewer than half', rows([4, 3]), none],
  ['errors of several quiet minutes', rows([0, 1], [0, 0], [0, 1]), { errors: 2, requests: 2 }],
  ['older errors before enough successes', rows([0, 90], [5, 0]), none],
  ['older successes before enough errors', rows([90, 0], [0, 5]), { errors: 5, requests: 5 }],
])('decides about %s', (_, traffic, expected) => {
  expect(visitorErrors(traffic, { ...LONG_AGO, now: NOON })).toEqual(expected);
});

it('forgets errors after ten minutes', () => {
  const traffic = rows([0, 5]);
  const at = (minutes: number) => {
    return visitorErrors(traffic, { ...LONG_AGO, now: NOON + minutes * MINUTE_MS });
  };
  expect(at(10)).toBeDefined();
  expect(at(11)).toBeUndefined();
});

it.each([
  ['the release went live', { ...LONG_AGO, release: { endedAt: '2026-01-01T12:00:30Z' } }],
  ['the app was edited or woken', { ...LONG_AGO, app: { updatedAt: '2026-01-01T12:00:30Z' } }],
])('leaves out the minute in which %s, and those before', (_, serving) => {
  const now = NOON + 90_000;
  const before = rows([0, 5], [0, 5]);
  expect(visitorErrors(before, { ...serving, now })).toBeUndefined();
  const after = { at: NOON + MINUTE_MS, statuses: [0, 0, 0, 0, 3], latencies: [] };
  expect(visitorErrors([...before, after], { ...serving, now })).toEqual({
    errors: 3,
    requests: 3,
  });
});

it('counts all recent minutes if the release is no longer listed', () => {
  const unknown = { ...LONG_AGO, release: undefined };
  expect(visitorErrors(rows([0, 5]), { ...unknown, now: NOON })).toBeDefined();
});
