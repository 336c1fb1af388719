import { parseLogLine } from '@longshore/contract';
import { describe, expect, it } from 'vitest';
import { numberedLine } from './line-list.ts';
import { followsAfterScroll, newestBuild, timeOfDay } from './log-view.ts';

const lines = [
  '[app-3f2a91-build-1]: old build',
  '[app-3f2a91-build-2]: \u001b[32mnpm\u001b[0m install',
  '[app-3f2a91-1]: Listening on 3000',
].map((text, index) => numberedLine(parseLogLine(text), index, new Map()));

it('the lines of the newest build exclude older builds', () => {
  expect(newestBuild(lines).map((line) => line.number)).toEqual([2]);
});

it.each([
  [new Date(2025, 0, 1, 9, 5, 2, 17).getTime(), '09:05:02.017'],
  [new Date(2025, 0, 1, 23, 59, 59, 0).getTime(), '23:59:59.000'],
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
