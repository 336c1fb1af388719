import { describe, expect, it } from 'vitest';
import { matchesUserHandle } from './verify-assertion.ts';

const ID = '7b0b5c4e-8a52-4a8e-9f0f-1d1f6f3f0a11';

describe('matchesUserHandle', () => {
  it.each([
    ['the plain id', ID, true],
    ['its bytes as base64url', Buffer.from(ID).toString('base64url'), true],
    ['the id of somebody else', '7b0b5c4e-8a52-4a8e-9f0f-1d1f6f3f0a12', false],
    ['a part of it', ID.slice(0, 8), false],
    ['nothing', '', false],
  ])('judges %s', (_, handle, isTheirs) => {
    expect(matchesUserHandle(handle, ID)).toBe(isTheirs);
  });
});
