import fc from 'fast-check';
import { expect, it } from 'vitest';
import { singleLine } from './single-line.ts';

it.each([
  ['a short line unchanged', 'Fix the mast', 'Fix the mast'],
  ['the first line', '\n  Fix the mast\r\n\nIt was broken', 'Fix the mast'],
  ['one space for many', 'Fix \t the   mast', 'Fix the mast'],
  ['no invisible characters', 'Fix\u202e the\0 mast\u200b', 'Fix the mast'],
  ['no lone surrogates', 'Fix \ud83d the mast', 'Fix the mast'],
  ['a truncated line', 'Fix the mast, and then the sails', 'Fix the mast, and…'],
  ['only whole characters', '🚢'.repeat(30), `${'🚢'.repeat(18)}…`],
  ['an empty string for blank text', ' \n ', ''],
])('returns %s', (_, text, line) => {
  expect(singleLine(text, 19)).toBe(line);
});

it('is always short and free of invisible characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const line = singleLine(text, 20);
      expect([...line].length).toBeLessThanOrEqual(20);
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
    }),
  );
});
