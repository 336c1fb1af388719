import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainLine } from './plain-line.ts';

it.each([
  ['as it is', 'Mend the mast', 'Mend the mast'],
  ['the first line', '\n  Mend the mast\r\n\nIt was broken', 'Mend the mast'],
  ['one space for many', 'Mend \t the   mast', 'Mend the mast'],
  ['nothing hidden', 'Mend\u202e the\0 mast\u200b', 'Mend the mast'],
  ['no half a character', 'Mend \ud83d the mast', 'Mend the mast'],
  ['what has room', 'Mend the mast, and then the sails', 'Mend the mast, and…'],
  ['whole characters', '🚢'.repeat(30), `${'🚢'.repeat(18)}…`],
  ['nothing of nothing', ' \n ', ''],
])('shows %s', (_, text, line) => {
  expect(plainLine(text, 19)).toBe(line);
});

it('is short and plain, whatever it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const line = plainLine(text, 20);
      expect([...line].length).toBeLessThanOrEqual(20);
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
    }),
  );
});
