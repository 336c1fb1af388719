/** Browsers cannot scroll further than about 17 million pixels (Firefox) or 33 million (Chromium). */
const MAX_SCROLL_PX = 8_000_000;
/** At both ends, a scrolled pixel is a pixel of the content. */
const EDGE_PX = 100_000;

/**
 * Maps positions in the content to positions of the scroll bar. They are the same unless the content is higher than a
 * browser can scroll; then the middle is compressed.
 */
export type ScrollScale = {
  /** The height of the scrolled area. */
  heightPx: number;
  /** The last position of the scroll bar. */
  lastScrollPx: number;
  toScroll(topPx: number): number;
  toContent(scrollPx: number): number;
};

export function createScrollScale(contentPx: number, visiblePx: number): ScrollScale {
  const heightPx = Math.min(contentPx, MAX_SCROLL_PX);
  const lastContent = Math.max(0, contentPx - visiblePx);
  const lastScroll = Math.max(0, heightPx - visiblePx);
  const ratio =
    contentPx <= MAX_SCROLL_PX ? 1 : (lastScroll - 2 * EDGE_PX) / (lastContent - 2 * EDGE_PX);
  return {
    heightPx,
    lastScrollPx: lastScroll,
    toScroll: (topPx) => convert(topPx, { from: lastContent, to: lastScroll, ratio }),
    toContent: (scrollPx) =>
      convert(scrollPx, { from: lastScroll, to: lastContent, ratio: 1 / ratio }),
  };
}

function convert(
  position: number,
  { from, to, ratio }: { from: number; to: number; ratio: number },
): number {
  const inside = Math.min(Math.max(0, position), from);
  if (ratio === 1 || inside <= EDGE_PX) return Math.min(inside, to);
  if (from - inside <= EDGE_PX) return to - (from - inside);
  return EDGE_PX + (inside - EDGE_PX) * ratio;
}
