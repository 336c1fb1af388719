import { describe, expect, it } from 'vitest';
import { cleanText, MAX_LINE_BYTES } from './clean-text.ts';

const noMask = (text: string) => text;

describe('the text of a line', () => {
  it.each([
    ['plain', 'plain'],
    ['', ''],
    ['with\0nul', 'withnul'],
    ['two\nlines', 'two lines'],
    ['two\r\nlines\r\n', 'two lines'],
    ['50%\r100%', '50% 100%'],
    ['\u001b[32mgreen\u001b[0m\tü', '\u001b[32mgreen\u001b[0m\tü'],
  ])('%j is stored as %j', (text, expected) => {
    expect(cleanText(text, noMask)).toBe(expected);
  });

  it.each(['x', 'ü', '€', '🚢'])(
    'of many %s is truncated at a whole character and marked',
    (character) => {
      const truncated = cleanText(character.repeat(MAX_LINE_BYTES + 1), noMask);
      expect(Buffer.byteLength(truncated)).toBeLessThanOrEqual(MAX_LINE_BYTES);
      expect(Buffer.byteLength(truncated)).toBeGreaterThan(MAX_LINE_BYTES - 8);
      expect(truncated.replaceAll(character, '')).toBe('…');
    },
  );

  it('of the maximum length is not truncated', () => {
    const text = 'x'.repeat(MAX_LINE_BYTES);
    expect(cleanText(text, noMask)).toBe(text);
  });

  it('is masked before it is truncated', () => {
    const text = `${'x'.repeat(MAX_LINE_BYTES - 8)}hunter2-hunter2`;
    const masked = cleanText(text, (line) => line.replaceAll('hunter2-hunter2', '[secret]'));
    expect(masked).not.toContain('hunter');
  });
});
