import { describe, expect, it } from 'vitest';
import { hasHiddenCharacters, isStorable } from './characters.ts';

describe('hasHiddenCharacters', () => {
  it.each(['', 'ada@example.com', 'https://github.com/acme', 'a b', 'Гавань', '機能', '🚢'])(
    'finds none in %j',
    (text) => {
      expect(hasHiddenCharacters(text)).toBe(false);
    },
  );

  it.each([
    ['a null character', 'a\0b'],
    ['a new line', 'a\nb'],
    ['an escape', 'a\u001b[2Jb'],
    ['a delete', 'a\u007fb'],
    ['a zero-width space', 'a\u200bb'],
    ['a right-to-left override', 'a\u202eb'],
    ['a byte order mark', '\ufeffa'],
    ['an unpaired surrogate', 'a\ud83d'],
  ])('finds %s', (_what, text) => {
    expect(hasHiddenCharacters(text)).toBe(true);
  });
});

describe('isStorable', () => {
  it.each([
    [''],
    ['Гавань 🚢\n'],
    [7],
    [true],
    [null],
    [undefined],
    [[]],
    [{}],
    [{ env: { A: 'b' }, ports: [{ number: 80 }] }],
  ])('accepts %j', (value) => {
    expect(isStorable(value)).toBe(true);
  });

  it.each([
    ['a\0b'],
    ['\ud83d'],
    ['\udea2\ud83d'],
    [['a', '\0']],
    [{ env: { A: '\0' } }],
    [{ env: { '\0': 'a' } }],
    [{ ports: [{ name: '\ud83d' }] }],
  ])('rejects %j', (value) => {
    expect(isStorable(value)).toBe(false);
  });
});
