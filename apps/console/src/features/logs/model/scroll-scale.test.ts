import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScrollScale } from './scroll-scale.ts';

const VISIBLE = 400;
const contentHeight = fc.oneof(fc.nat(10_000), fc.nat(60_000_000));

describe('the scroll scale', () => {
  it('stays within what every browser can scroll, for a million wrapped lines', () => {
    expect(createScrollScale(60_000_000, VISIBLE).heightPx).toBeLessThan(17_000_000);
  });

  it.each([0, 1, 5_000, 7_999_600])('leaves position %i of a lower content as it is', (top) => {
    const { toScroll, toContent } = createScrollScale(8_000_000, VISIBLE);
    expect(toScroll(top)).toBe(top);
    expect(toContent(top)).toBe(top);
  });

  it('reaches both ends', () => {
    fc.assert(
      fc.property(contentHeight, (content) => {
        const { heightPx, toScroll, toContent } = createScrollScale(content, VISIBLE);
        const last = Math.max(0, content - VISIBLE);
        expect(toContent(0)).toBe(0);
        expect(toContent(Math.max(0, heightPx - VISIBLE))).toBeCloseTo(last, 3);
        expect(toScroll(last)).toBeCloseTo(Math.max(0, heightPx - VISIBLE), 3);
      }),
    );
  });

  it('returns to the same position, and keeps the order of positions', () => {
    fc.assert(
      fc.property(contentHeight, fc.nat(), fc.nat(), (content, one, other) => {
        const { toScroll, toContent } = createScrollScale(content, VISIBLE);
        const last = Math.max(1, content - VISIBLE);
        const [low = 0, high = 0] = [one % last, other % last].sort((a, b) => a - b);
        expect(toContent(toScroll(low))).toBeCloseTo(Math.min(low, content), 2);
        expect(toScroll(low)).toBeLessThanOrEqual(toScroll(high));
      }),
    );
  });
});
