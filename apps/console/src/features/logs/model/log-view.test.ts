import { parseLogLine } from '@longshore/contract';
import { describe, expect, it } from 'vitest';
import {
  countLinesAfter,
  filteredLines,
  followsAfterScroll,
  hasBothSources,
  newestBuild,
  stepMatch,
  timeOfDay,
} from './log-view.ts';

const lines = [
  '[app-3f2a91-build-1]: old build',
  '[app-3f2a91-build-2]: \u001b[32mnpm\u001b[0m install',
  '[app-3f2a91-1]: Listening on 3000',
].map((text, index) => ({ ...parseLogLine(text), number: index + 1 }));
const appLines = lines.slice(2);

describe('log lines', () => {
  it.each([
    [lines, true],
    [appLines, false],
    [[], false],
  ])('have filters only when both kinds exist (%#)', (candidates, offered) => {
    expect(hasBothSources(candidates)).toBe(offered);
  });

  it.each([
    ['all', 3],
    ['app', 1],
    ['build', 2],
  ] as const)('filtered by %s are %i', (filter, count) => {
    expect(filteredLines(lines, filter)).toHaveLength(count);
  });

  it('of the newest build exclude older builds', () => {
    expect(newestBuild(lines).map((line) => line.number)).toEqual([2]);
  });
});

it.each([
  [0, 1, 3, 1],
  [2, 1, 3, 0],
  [0, -1, 3, 2],
  [0, 1, 0, 0],
] as const)('match %i plus %i of %i matches is match %i', (current, step, count, next) => {
  expect(stepMatch(current, step, count)).toBe(next);
});

it.each([
  [[1, 2, 3], [1, 2], 1],
  [[1, 2, 3], [], 3],
  [[], [], 0],
  [[8, 9], [1, 2], 7],
])('of %j with %j paused, the number of new lines is %i', (streamed, pausedLines, count) => {
  const numbered = (numbers: number[]) =>
    numbers.map((number) => ({ ...parseLogLine('[a]: x'), number }));
  expect(countLinesAfter(numbered(streamed), numbered(pausedLines))).toBe(count);
});

it.each([
  [new Date(2025, 0, 1, 9, 5, 2, 17).toISOString(), '09:05:02.017'],
  [new Date(2025, 0, 1, 23, 59, 59, 0).toISOString(), '23:59:59.000'],
  [undefined, ''],
])('the time of %j is %j', (at, text) => {
  expect(timeOfDay(at)).toBe(text);
});

describe('following the newest line', () => {
  it.each([
    ['new lines below while following', true, 500, { top: 500, height: 1_200, visible: 400 }, true],
    ['a scroll up', true, 800, { top: 600, height: 1_200, visible: 400 }, false],
    [
      'a scroll down short of the end',
      false,
      500,
      { top: 600, height: 1_200, visible: 400 },
      false,
    ],
    ['a scroll back to the end', false, 500, { top: 796, height: 1_200, visible: 400 }, true],
  ] as const)('after %s (was %s)', (_, isFollowing, lastTop, position, follows) => {
    expect(followsAfterScroll(isFollowing, lastTop, position)).toBe(follows);
  });
});
