import { expect, it } from 'vitest';
import { classifySpentToken } from './classify-spent-token.ts';

const DAY = 86_400;

/** Tokens are numbers here; the session goes on under token 10. */
function judge(token: number, spentSecondsAgo: number) {
  return classifySpentToken({
    token: String(token),
    spentSecondsAgo,
    isCurrent: (candidate) => candidate === '10',
    successorOf: (earlier) => String(Number(earlier) + 1),
  });
}

it.each([
  ['the predecessor at once', 9, 0, true],
  ['the predecessor after the grace, for its successor was never used', 9, 61, true],
  ['the predecessor after weeks', 9, 20 * DAY, true],
  ['an earlier one within the grace', 8, 60, true],
  ['one several refreshes behind, within the grace', 2, 59, true],
  ['an earlier one after the grace', 8, 61, false],
  ['the first one after weeks', 1, 20 * DAY, false],
  ['one that does not lead to the current one', 11, 0, false],
])('judges %s', (_, token, spentSecondsAgo, isGood) => {
  expect(judge(token, spentSecondsAgo)).toEqual(
    isGood ? { kind: 'good', current: '10' } : { kind: 'reused' },
  );
});
