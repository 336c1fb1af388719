import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type RequestedBytes, requestedBytes } from './byte-range.ts';

const some = (start: number, end: number): RequestedBytes => ({ kind: 'some', start, end });

it.each<[string | undefined, RequestedBytes]>([
  [undefined, { kind: 'all' }],
  ['bytes=0-0', some(0, 0)],
  ['bytes=2-5', some(2, 5)],
  ['bytes= 2-5', some(2, 5)],
  ['bytes=2-', some(2, 9)],
  ['bytes=-3', some(7, 9)],
  ['bytes=-30', some(0, 9)],
  ['bytes=0-99', some(0, 9)],
  [`bytes=0-${'9'.repeat(400)}`, some(0, 9)],
  ['bytes=10-', { kind: 'none' }],
  ['bytes=10-12', { kind: 'none' }],
  ['bytes=-0', { kind: 'none' }],
  ['bytes=5-2', { kind: 'all' }],
  ['bytes=-', { kind: 'all' }],
  ['bytes=0-1,3-4', { kind: 'all' }],
  ['lines=0-1', { kind: 'all' }],
  ['bytes=a-b', { kind: 'all' }],
  ['', { kind: 'all' }],
])('of ten bytes, %s requests %o', (range, expected) => {
  expect(requestedBytes(range, 10)).toEqual(expected);
});

it('never exceeds the file', () => {
  const ranges = fc
    .tuple(fc.option(fc.nat(), { nil: '' }), fc.option(fc.nat(), { nil: '' }))
    .map(([first, last]) => `bytes=${first}-${last}`);
  fc.assert(
    fc.property(ranges, fc.integer({ min: 1, max: 1_000 }), (range, size) => {
      const requested = requestedBytes(range, size);
      if (requested.kind !== 'some') return;
      expect(requested.start).toBeGreaterThanOrEqual(0);
      expect(requested.end).toBeGreaterThanOrEqual(requested.start);
      expect(requested.end).toBeLessThan(size);
    }),
  );
});
