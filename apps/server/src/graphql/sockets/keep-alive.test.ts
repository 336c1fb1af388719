import { expect, it } from 'vitest';
import { pulse } from './keep-alive.ts';

it.each([
  ['a quiet socket', 1, 0, true, 'keep-alive'],
  ['one that still owes an answer', 1, 0, false, 'keep-alive'],
  ['a quiet one, every fifth time', 5, 0, true, 'ping'],
  ['one that owed an answer for so long', 5, 0, false, 'hang-up'],
  ['a slow one', 1, 5_000, true, 'nothing'],
  ['a slow one that could not answer', 5, 29_999, false, 'nothing'],
  ['one that reads nothing', 1, 30_000, true, 'hang-up'],
] as const)('meets %s with %4$s', (_, tick, stalledMs, hasAnswered, act) => {
  expect(pulse(tick, { stalledMs, hasAnswered })).toBe(act);
});
