import { describe, expect, it } from 'vitest';
import { followsAfterScroll } from './follow.ts';

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
  ] as const)('after %s (was %s) is right', (_, isFollowing, lastTop, place, follows) => {
    expect(followsAfterScroll(isFollowing, lastTop, place)).toBe(follows);
  });
});
