import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineSplitter, MAX_LINE_BYTES } from './line-splitter.ts';

describe('the line splitter', () => {
  it.each([
    ['a line', 'one\n', ['one']],
    ['a last line without a newline', 'one\ntwo', ['one', 'two']],
    ['empty lines', '\n\n', ['', '']],
    ['Windows line ends', 'one\r\ntwo\r\n', ['one', 'two']],
    ['a progress bar', '10%\r50%\r100%\n', ['100%']],
    ['NUL', 'a\0b\n', ['ab']],
    ['nothing', '', []],
  ])('reads %s', (_, text, lines) => {
    expect(split([Buffer.from(text)])).toEqual(lines);
  });

  it('replaces invalid UTF-8', () => {
    expect(split([Buffer.from([0x61, 0xff, 0x62, 0x0a])])).toEqual(['a\ufffdb']);
  });

  it('truncates and marks a line that is too long, and continues with the next', () => {
    const long = 'x'.repeat(MAX_LINE_BYTES * 3);
    expect(split([Buffer.from(`${long}\nnext\n`)])).toEqual([
      `${'x'.repeat(MAX_LINE_BYTES)} …`,
      'next',
    ]);
  });

  it('does not depend on the chunk boundaries', () => {
    const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀', '\n', ' ') }));
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 7 }), (parts, size) => {
        const whole = Buffer.from(parts.join('\n'));
        const chunks = [];
        for (let at = 0; at < whole.length; at += size) chunks.push(whole.subarray(at, at + size));
        expect(split(chunks)).toEqual(split([whole]));
      }),
    );
  });

  it('counts the bytes of an incomplete line', () => {
    const lines = createLineSplitter(() => {});
    lines.push(Buffer.from('one\ntw'));
    expect(lines.pendingBytes()).toBe(2);
  });
});

function split(chunks: Uint8Array[]): string[] {
  const found: string[] = [];
  const lines = createLineSplitter((line) => found.push(line));
  for (const chunk of chunks) lines.push(chunk);
  lines.end();
  return found;
}
