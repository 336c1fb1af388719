import { describe, expect, it } from 'vitest';
import { CHUNK_BYTES, compress, decompress, planMerges, toChunks } from './log-chunks.ts';

const HALF = CHUNK_BYTES / 2;

describe('chunks to merge', () => {
  it.each([
    ['none of an empty segment', [], []],
    ['none of a single one', [10], []],
    ['neighbours', [10, 20, 30], [[0, 60]]],
    [
      'as many as fit',
      [HALF, HALF, 1, 1],
      [
        [0, CHUNK_BYTES],
        [CHUNK_BYTES, 2],
      ],
    ],
    ['not one that fits with no neighbour', [CHUNK_BYTES, 1, CHUNK_BYTES], []],
    ['an older small one with later ones', [CHUNK_BYTES, 5, 6], [[CHUNK_BYTES, 11]]],
  ])('are %s', (_, sizes, expected) => {
    let end = 0;
    const chunks = sizes.map((size) => {
      end += size;
      return { start: end - size, size };
    });
    expect(planMerges(chunks).map(({ start, size }) => [start, size])).toEqual(expected);
  });
});

describe('bytes of a segment', () => {
  it.each([0, 1, CHUNK_BYTES, CHUNK_BYTES + 1])(
    'are divided and put together: %i',
    async (size) => {
      const bytes = Buffer.from(Array.from({ length: size }, (_, index) => index % 251));
      const chunks = toChunks(bytes, 7);
      expect(chunks.every((chunk) => chunk.size <= CHUNK_BYTES)).toBe(true);
      expect(chunks.map(({ start }) => start)).toEqual(
        chunks.map((_, index) => 7 + index * CHUNK_BYTES),
      );
      const parts = await Promise.all(
        chunks.map(async (chunk) => decompress(await compress(chunk.bytes))),
      );
      expect(Buffer.concat(parts).equals(bytes)).toBe(true);
    },
  );
});
