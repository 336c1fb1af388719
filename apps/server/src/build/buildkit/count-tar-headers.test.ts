import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTarHeaderCounter } from './count-tar-headers.ts';
import { TAR_END, tarEntry, tarHeader } from './tar.ts';

function count(bytes: Buffer, cuts: number[] = []): number {
  const counter = createTarHeaderCounter();
  const points = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
  for (const [index, from] of points.entries()) {
    counter.push(bytes.subarray(from, points[index + 1] ?? from));
  }
  return counter.count();
}

const files = (texts: string[]) =>
  Buffer.concat([
    ...texts.flatMap((text, index) => [...tarEntry(`file-${index}`, Buffer.from(text))]),
    TAR_END,
  ]);

it('counts the files of an archive, wherever it is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 6 }), fc.array(fc.nat(4096)), (texts, cuts) => {
      const bytes = files(texts);
      const inside = cuts.filter((cut) => cut <= bytes.length);
      expect(count(bytes, inside)).toBe(texts.length);
    }),
  );
});

it('also counts files behind a header with a wrong size', () => {
  const hidden = files(['', '', '']);
  expect(count(Buffer.concat([tarHeader('cover', 1024 ** 3), hidden]))).toBe(4);
});

it('counts headers of old programs, without a magic number and with signed bytes', () => {
  const header = tarHeader('file', 0);
  header.fill(0, 257, 265);
  header[0] = 0xff;
  header.fill(0x20, 148, 156);
  const signed = [...header].reduce((sum, byte) => sum + (byte < 128 ? byte : byte - 256), 0);
  header.write(`${signed.toString(8).padStart(6, ' ')}\0 `, 148, 'latin1');
  expect(count(header)).toBe(1);
});

it('does not count other blocks', () => {
  expect(count(Buffer.alloc(5120))).toBe(0);
  expect(count(Buffer.alloc(5120, ' 0'))).toBe(0);
  expect(count(Buffer.alloc(5120, 'text'))).toBe(0);
});
