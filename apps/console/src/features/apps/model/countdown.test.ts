import { expect, it } from 'vitest';
import { countdownTo } from './countdown.ts';

const AT = '2025-01-01T00:05:00+00:00';

it.each([
  ['restart', 10_000, 'Restarting in 10 s', true],
  ['restart', 9_001, 'Restarting in 10 s', true],
  ['restart', 1, 'Restarting in 1 s', true],
  ['restart', 0, 'Restarting…', false],
  ['restart', -60_000, 'Restarting…', false],
  ['restart', 300_000, 'Restarting in 5 min 00 s', true],
  ['retry', 2_000, 'Retrying in 2 s', true],
  ['retry', -1, 'Retrying…', false],
] as const)('of a %s in %i ms is %j', (kind, leftMs, text, isWaiting) => {
  const countdown = countdownTo({ kind, at: AT }, Date.parse(AT) - leftMs);
  expect(countdown).toEqual({ text, isWaiting });
});
