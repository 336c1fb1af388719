import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineSplitter } from './split-lines.ts';

describe('splitting a stream into lines', () => {
  it.each([
    [['a\nb\n'], ['a', 'b']],
    [['a\nb'], ['a', 'b']],
    [
      ['a', 'b', '\n', 'c'],
      ['ab', 'c'],
    ],
    [
      ['a\r\nb\r', '\n'],
      ['a', 'b'],
    ],
    [['\n\n'], ['', '']],
    [[''], []],
  ])('%j gives %j', (chunks, lines) => {
    expect(split(chunks.map((chunk) => new TextEncoder().encode(chunk)))).toEqual(lines);
  });

  it('does not depend on the chunk boundaries, even inside a character', () => {
    const line = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n]/g, '·'));
    fc.assert(
      fc.property(
        fc.array(line),
        fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
        (lines, sizes) => {
          const bytes = new TextEncoder().encode(lines.map((text) => `${text}\n`).join(''));
          expect(split(cut(bytes, sizes))).toEqual(lines);
        },
      ),
    );
  });
});

function split(chunks: Uint8Array[]): string[] {
  const splitter = createLineSplitter();
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
}

function cut(bytes: Uint8Array, sizes: Iterator<number>): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; ) {
    const size = sizes.next().value ?? 1;
    chunks.push(bytes.slice(start, start + size));
    start += size;
  }
  return chunks;
}
