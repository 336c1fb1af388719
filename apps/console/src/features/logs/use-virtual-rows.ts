import { type RefObject, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { LineList } from './model/line-list.ts';
import { followsAfterScroll } from './model/log-view.ts';
import { createRowHeights, ROW_PX, type RowHeights } from './model/row-heights.ts';
import { createScrollScale } from './model/scroll-scale.ts';

const OVERSCAN_PX = 12 * ROW_PX;
/** A longer move of the scroll bar is a jump to a place in the log, not a move by so many pixels. */
const JUMP_PX = 4_000;
const SCROLL_END_MS = 120;
/** Rows are placed relative to one of every so many rows, because browsers cannot place them anywhere in a long list. */
const ORIGIN_ROWS = 16_384;
/** Until the height is measured. */
const DEFAULT_VISIBLE_PX = 480;

/** The row at the top of the visible area, and how far below its top the area begins. */
type Anchor = { id: number; offsetPx: number };
/** After a jump all rows are new, so only the visible ones are rendered until the scroll bar rests. */
type View = { anchor: Anchor; isFollowing: boolean; isJumping: boolean };

type VirtualRowsOptions = {
  lines: LineList;
  isFollowingAtFirst: boolean;
  /** Rows may be higher than one line, and are measured. Heights are forgotten when `layoutKey` changes. */
  isMeasured: boolean;
  layoutKey: string;
};

export type VirtualRows = {
  frame: RefObject<HTMLDivElement | null>;
  area: RefObject<HTMLDivElement | null>;
  block: RefObject<HTMLDivElement | null>;
  /** Positions of the rows to render, from `start` up to, but not including, `end`. */
  start: number;
  end: number;
  /** Where to place each of these rows in the block. A row stays there while the user scrolls, so it is not painted again. */
  tops: number[];
  isFollowing: boolean;
  handleScroll(): void;
  follow(): void;
  /** Scrolls a row to the middle. */
  center(position: number): void;
};

/**
 * Renders only the visible rows of a list of any length. What is at the top is stored as a row, not as a scroll position:
 * it stays in place when lines are added or removed before it, and the list may be higher than a browser can scroll.
 */
export function useVirtualRows(options: VirtualRowsOptions): VirtualRows {
  const { lines, isFollowingAtFirst, isMeasured, layoutKey } = options;
  const frame = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLDivElement>(null);
  const block = useRef<HTMLDivElement>(null);
  const lastScroll = useRef(0);
  const scrollEnd = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [size, setSize] = useState({ visiblePx: DEFAULT_VISIBLE_PX, widthPx: 0 });
  const [view, setView] = useState<View>({
    anchor: { id: lines.firstId, offsetPx: 0 },
    isFollowing: isFollowingAtFirst,
    isJumping: false,
  });
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another width or layout makes other heights
  const heights = useMemo(createRowHeights, [layoutKey, isMeasured && size.widthPx]);

  const { firstId, length } = lines;
  const endId = firstId + length;
  const { visiblePx } = size;
  const contentPx = heights.between(firstId, endId);
  const lastTop = Math.max(0, contentPx - visiblePx);
  const top = view.isFollowing ? lastTop : Math.min(topOf(view.anchor), lastTop);
  const anchor = heights.rowAt(firstId, top);
  const scale = createScrollScale(contentPx, visiblePx);
  const overscanPx = view.isJumping ? 0 : OVERSCAN_PX;
  const start = heights.rowAt(firstId, top - overscanPx).id - firstId;
  const lastRow = heights.rowAt(anchor.id, anchor.offsetPx + visiblePx + overscanPx).id;
  const end = Math.min(length, lastRow + 1 - firstId);
  const originId = Math.floor(anchor.id / ORIGIN_ROWS) * ORIGIN_ROWS;

  function topOf({ id, offsetPx }: Anchor): number {
    return id < firstId ? 0 : heights.between(firstId, Math.min(id, endId)) + offsetPx;
  }

  useLayoutEffect(() => {
    const setHeight = (row: number, px: number) => heights.set(firstId + start + row, px);
    if (isMeasured && measureRows(block.current, setHeight)) {
      setView((current) => (current.isFollowing ? current : { ...current, anchor }));
      renderAgain();
    }
    place();
  });

  /** Moves the rows to where the visible area is, and the scroll bar to where the rows are. */
  function place(): void {
    if (frame.current === null || area.current === null || block.current === null) return;
    area.current.style.height = `${scale.heightPx}px`;
    const { scrollTop } = frame.current;
    const wanted = scale.toScroll(top);
    // While the user scrolls, the browser moves the scroll bar; setting it would stop the movement.
    const isMoving = scrollEnd.current !== undefined && !view.isFollowing;
    const isAtOneEndOnly =
      scrollTop < 1 !== wanted < 1 ||
      scale.lastScrollPx - scrollTop < 1 !== scale.lastScrollPx - wanted < 1;
    if (Math.abs(scrollTop - wanted) >= 1 && (!isMoving || isAtOneEndOnly)) {
      frame.current.scrollTop = wanted;
    }
    lastScroll.current = frame.current.scrollTop;
    const topInBlock = heights.between(originId, anchor.id) + anchor.offsetPx;
    block.current.style.transform = `translateY(${lastScroll.current - topInBlock}px)`;
  }

  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      const visible = element.clientHeight || DEFAULT_VISIBLE_PX;
      setSize((current) =>
        current.visiblePx === visible && current.widthPx === element.clientWidth
          ? current
          : { visiblePx: visible, widthPx: element.clientWidth },
      );
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      clearTimeout(scrollEnd.current);
    };
  }, []);

  function showTop(nextTop: number, { isFollowing = false, isJumping = false } = {}): void {
    const inside = Math.min(Math.max(0, nextTop), lastTop);
    setView({ anchor: heights.rowAt(firstId, inside), isFollowing, isJumping });
  }

  return {
    frame,
    area,
    block,
    start,
    end,
    tops: topsOf(heights, originId, { first: firstId + start, end: firstId + end }),
    isFollowing: view.isFollowing,
    handleScroll() {
      if (frame.current === null) return;
      const movedPx = frame.current.scrollTop - lastScroll.current;
      // Not a move of the user, but the position set here.
      if (movedPx === 0) return;
      lastScroll.current = frame.current.scrollTop;
      const isJumping = Math.abs(movedPx) > JUMP_PX;
      const nextTop = isJumping ? scale.toContent(lastScroll.current) : top + movedPx;
      const position = { top: nextTop, height: contentPx, visible: visiblePx };
      clearTimeout(scrollEnd.current);
      scrollEnd.current = setTimeout(() => {
        scrollEnd.current = undefined;
        setView((current) => ({ ...current, isJumping: false }));
      }, SCROLL_END_MS);
      // In the same frame: otherwise the area would be empty for a moment.
      const isFollowing = followsAfterScroll(view.isFollowing, top, position);
      flushSync(() => showTop(nextTop, { isFollowing, isJumping }));
    },
    follow: () => setView((current) => ({ ...current, isFollowing: true })),
    center(position) {
      const rowTop = heights.between(firstId, firstId + position);
      clearTimeout(scrollEnd.current);
      scrollEnd.current = undefined;
      showTop(rowTop - visiblePx / 2);
    },
  };
}

function topsOf(
  heights: RowHeights,
  originId: number,
  { first, end }: { first: number; end: number },
): number[] {
  const isAbove = first < originId;
  let top = isAbove ? -heights.between(first, originId) : heights.between(originId, first);
  const tops: number[] = [];
  for (let id = first; id < end; id += 1) {
    tops.push(top);
    top += heights.between(id, id + 1);
  }
  return tops;
}

/** Returns whether a row has another height than before. */
function measureRows(
  block: HTMLElement | null,
  setHeight: (row: number, heightPx: number) => boolean,
): boolean {
  let hasChanged = false;
  for (const [row, element] of [...(block?.children ?? [])].entries()) {
    const { offsetHeight } = element as HTMLElement;
    if (offsetHeight > 0 && setHeight(row, offsetHeight)) hasChanged = true;
  }
  return hasChanged;
}
