import { expect, it } from 'vitest';
import { aRelease } from '../../../../test/resources.ts';
import { deploymentTime } from './deployment-time.ts';

const START = '2025-01-01T00:00:00Z';

function took(seconds: number, wish: Parameters<typeof aRelease>[0] = {}) {
  const endedAt = new Date(Date.parse(START) + seconds * 1_000).toISOString();
  return aRelease({ startedAt: START, endedAt, ...wish });
}

const underWay = aRelease({ outcome: undefined, endedAt: undefined, startedAt: START });

it.each([
  ['none has run', [], undefined],
  ['the first is under way', [underWay], undefined],
  ['one has run', [underWay, took(42)], 42_000],
  ['three have run: the middle one', [underWay, took(90), took(10), took(40)], 40_000],
  [
    'only the last five count',
    [...[1, 2, 3, 4, 5].map((s) => took(s)), took(900), took(901)],
    3_000,
  ],
  ['a failed one does not count', [underWay, took(5, { outcome: 'failed' }), took(60)], 60_000],
  [
    'a way back does not count for a build',
    [underWay, took(2, { buildReusedFrom: 1 }), took(60)],
    60_000,
  ],
  [
    'builds do not count for a way back',
    [{ ...underWay, buildReusedFrom: 1 }, took(2, { buildReusedFrom: 1 }), took(60)],
    2_000,
  ],
])('is usual when %s', (_, releases, usualMs) => {
  expect(deploymentTime(releases).usualMs).toBe(usualMs);
});

it.each([
  ['of the release under way', [underWay], START],
  ['unknown while none is', [took(42)], undefined],
])('the beginning is %s', (_, releases, since) => {
  expect(deploymentTime(releases).since).toBe(since);
});
