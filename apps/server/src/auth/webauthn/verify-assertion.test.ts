import { describe, expect, it } from 'vitest';
import { matchesUserHandle } from './verify-assertion.ts';

const ID = '7b0b5c4e-8a52-4a8e-9f0f-1d1f6f3f0a11';

describe('matchesUserHandle', () => {
  it.each([
    ['the plain id', ID, true],
    ['the id as base64url', Buffer.from(ID).toString('base64url'), true],
    ['the id of another user', '7b0b5c4e-8a52-4a8e-9f0f-1d1f6f3f0a12', false],
    ['a part of the id', ID.slice(0, 8), false],
    ['nothing', '', false],
  ])('checks %s', (_, handle, isMatch) => {
    expect(matchesUserHandle(handle, ID)).toBe(isMatch);
  });
});
