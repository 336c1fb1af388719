import { expect, it } from 'vitest';
import { hasHiddenCharacters } from './hidden-characters.ts';

it.each(['', 'ada@example.com', 'https://github.com/acme', 'a b', 'Гавань', '機能', '🚢'])(
  'finds nothing hidden in %j',
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
  ['text turned around', 'a\u202eb'],
  ['a byte order mark', '\ufeffa'],
  ['half a character', 'a\ud83d'],
])('finds %s', (_what, text) => {
  expect(hasHiddenCharacters(text)).toBe(true);
});
