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

const live = (number: number, endedAt: string) => ({ number, outcome: 'live' as const, endedAt });
const LONG_AGO = [live(1, '2025-12-01T00:00:00Z')];
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
  expect(visitorErrors(traffic, { serving: 1, history: LONG_AGO, now: NOON })).toEqual(expected);
});

it('forgets errors after ten minutes', () => {
  const traffic = rows([0, 5]);
  const at = (minutes: number) => {
    const now = NOON + minutes * MINUTE_MS;
    return visitorErrors(traffic, { serving: 1, history: LONG_AGO, now });
  };
  expect(at(10)).toBeDefined();
  expect(at(11)).toBeUndefined();
});

it.each([
  ['counts the minute in which the first release went live', [live(1, '2026-01-01T12:00:30Z')], 1],
  [
    'counts it also after failed ones',
    [live(2, '2026-01-01T12:00:30Z'), { number: 1, outcome: 'failed' as const, endedAt: '' }],
    2,
  ],
])('%s', (_, history, serving) => {
  const now = NOON + 40_000;
  expect(visitorErrors(rows([0, 5]), { serving, history, now })).toBeDefined();
});

it('leaves out what the release before may have served', () => {
  const history = [live(2, '2026-01-01T12:00:30Z'), ...LONG_AGO];
  const traffic = rows([0, 5], [0, 5]);
  const [before, during] = traffic;
  const after = { ...during, at: NOON + MINUTE_MS, statuses: [0, 0, 0, 0, 3], latencies: [] };
  const now = NOON + 90_000;
  expect(visitorErrors(traffic, { serving: 2, history, now })).toBeUndefined();
  expect(visitorErrors([...traffic, after], { serving: 2, history, now })).toEqual({
    errors: 3,
    requests: 3,
  });
  expect(before).toBeDefined();
});
