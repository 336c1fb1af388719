import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRowHeights, ROW_PX } from './row-heights.ts';

const measured = fc.array(
  fc.record({ id: fc.integer({ min: -3_000, max: 3_000 }), rows: fc.integer({ min: 1, max: 9 }) }),
  { maxLength: 30 },
);

it('adds up the measured heights, and finds the row at every distance', () => {
  const id = fc.integer({ min: -3_000, max: 3_000 });
  fc.assert(
    fc.property(measured, id, fc.nat(4_000), fc.nat(), (rows, first, count, distance) => {
      const heights = createRowHeights();
      const plain = new Map<number, number>();
      for (const { id, rows: lines } of rows) {
        heights.set(id, lines * ROW_PX);
        plain.set(id, lines * ROW_PX);
      }
      let total = 0;
      for (let id = first; id < first + count; id += 1) total += plain.get(id) ?? ROW_PX;
      expect(heights.between(first, first + count)).toBe(total);

      const { id, offsetPx } = heights.rowAt(first, distance % 100_000);
      expect(heights.between(first, id) + offsetPx).toBe(distance % 100_000);
      expect(offsetPx).toBeGreaterThanOrEqual(0);
      expect(offsetPx).toBeLessThan(plain.get(id) ?? ROW_PX);
    }),
  );
});

it('reports whether a height changed', () => {
  const heights = createRowHeights();
  expect(heights.set(5, ROW_PX)).toBe(false);
  expect(heights.set(5, 40)).toBe(true);
  expect(heights.set(5, 40)).toBe(false);
  expect(heights.set(5, ROW_PX)).toBe(true);
  expect(heights.between(0, 10)).toBe(10 * ROW_PX);
});

it('treats distances above the first row as its top', () => {
  expect(createRowHeights().rowAt(7, -100)).toEqual({ id: 7, offsetPx: 0 });
});
