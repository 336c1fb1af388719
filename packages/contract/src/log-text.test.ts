import fc from 'fast-check';
import { expect, it } from 'vitest';
import { containsText, foldCase, withoutAnsi } from './log-text.ts';

it.each([
  ['GET /lamps 200', 'get /LAMPS', true],
  ['\u001b[31mconnection\u001b[0m refused', 'connection refused', true],
  ['a.b', 'a.b', true],
  ['axb', 'a.b', false],
  ['aaaa', '(a+)+$', false],
  ['\u001b[31m', '31', false],
  ['İstanbul', 'istanbul', false],
  ['İSTANBUL', 'İstanbul', true],
  ['ÄPFEL', 'äpfel', true],
  ['ΑΣ', 'Σ', true],
  ['\u{104b0}', '\u{104d8}', true],
])('%j contains %j: %s', (line, text, expected) => {
  expect(containsText(line, text)).toBe(expected);
});

it('folds case without moving any character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(foldCase(text)).toHaveLength(text.length);
    }),
  );
  expect(foldCase('aİb')).toBe('aİb');
});

it('finds every part of a line that has no control sequence', () => {
  const line = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\u001b'));
  fc.assert(
    fc.property(line, fc.nat(), fc.nat(), (text, start, length) => {
      const characters = Array.from(text);
      const from = characters.length === 0 ? 0 : start % characters.length;
      expect(containsText(text, characters.slice(from, from + length).join(''))).toBe(true);
    }),
  );
});

it('removes control sequences', () => {
  expect(withoutAnsi('\u001b[1;31mred\u001b[0m \u001b]0;title\u0007end')).toBe('red end');
});
