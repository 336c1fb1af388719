import fc from 'fast-check';
import { expect, it } from 'vitest';
import { frames, unixTime } from './container-logs.ts';

const framed = (output: number, text: string) => {
  const bytes = Buffer.from(text);
  const header = Buffer.alloc(8);
  header.writeUInt8(output, 0);
  header.writeUInt32BE(bytes.length, 4);
  return Buffer.concat([header, bytes]);
};

it('parses frames with any chunk boundaries', async () => {
  const entry = fc.tuple(fc.constantFrom(1, 2), fc.string({ maxLength: 20 }));
  await fc.assert(
    fc.asyncProperty(fc.array(entry), fc.integer({ min: 1, max: 9 }), async (entries, size) => {
      const whole = Buffer.concat(entries.map(([output, text]) => framed(output, text)));
      async function* pieces() {
        for (let from = 0; from < whole.length; from += size)
          yield whole.subarray(from, from + size);
      }
      const read: [number, string][] = [];
      for await (const { output, bytes } of frames(pieces())) read.push([output, bytes.toString()]);
      expect(read).toEqual(entries);
    }),
  );
});

it.each([
  ['2026-11-15T09:00:00.000000001Z', '1794733200.000000001'],
  ['2026-11-15T09:00:00.5Z', '1794733200.500000000'],
  ['2026-11-15T09:00:00Z', '1794733200.000000000'],
])('formats %s as %s', (at, text) => {
  expect(unixTime(at)).toBe(text);
});
