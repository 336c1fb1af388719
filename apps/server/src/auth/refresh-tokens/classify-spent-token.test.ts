import { expect, it } from 'vitest';
import { classifySpentToken } from './classify-spent-token.ts';

const DAY = 86_400;

/** Tokens are numbers here; token 10 is the current one of the session. */
function classify(token: number, spentSecondsAgo: number) {
  return classifySpentToken({
    token: String(token),
    spentSecondsAgo,
    isCurrent: (candidate) => candidate === '10',
    successorOf: (earlier) => String(Number(earlier) + 1),
  });
}

it.each([
  ['the predecessor immediately', 9, 0, true],
  ['the predecessor after the grace period', 9, 61, true],
  ['the predecessor after weeks', 9, 20 * DAY, true],
  ['an earlier one within the grace period', 8, 60, true],
  ['one several refreshes behind, within the grace period', 2, 59, true],
  ['an earlier one after the grace period', 8, 61, false],
  ['the first one after weeks', 1, 20 * DAY, false],
  ['a token outside the chain of the current one', 11, 0, false],
])('classifies %s', (_, token, spentSecondsAgo, isLegitimate) => {
  expect(classify(token, spentSecondsAgo)).toEqual(
    isLegitimate ? { kind: 'legitimate', current: '10' } : { kind: 'reused' },
  );
});
