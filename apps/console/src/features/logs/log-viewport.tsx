import { clsx } from 'clsx';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { ArrowDown } from '../../ui/icons.tsx';
import { LogRow } from './log-row.tsx';
import type { LogDisplay } from './log-toolbar.tsx';
import { MESSAGES } from './messages.ts';
import { type LineList, linesOf } from './model/line-list.ts';
import { useVirtualRows } from './use-virtual-rows.ts';

/** More lines are loaded when so few are left in the direction of scrolling. */
const LOAD_WITHIN_LINES = 300;

const DEFAULT_DISPLAY: LogDisplay = { isWrapped: true, hasTimestamps: false };

type LogViewportProps = {
  label: string;
  lines: LineList;
  search?: string;
  /** Position of the search match to bring into view. */
  current?: number | undefined;
  display?: LogDisplay;
  hasSource?: boolean;
  /** False for a part of the log that ends before the newest lines. */
  isLive?: boolean;
  onNearStart?(): void;
  onNearEnd?(): void;
  onJumpToLatest?(): void;
  className?: string;
};

/** Renders only the visible lines. Follows the newest one until the user scrolls up. */
export function LogViewport(props: LogViewportProps) {
  const { label, lines, search = '', current, hasSource = false, isLive = true } = props;
  const { display = DEFAULT_DISPLAY, onNearStart, onNearEnd } = props;
  const { isWrapped, hasTimestamps } = display;
  const rows = useVirtualRows({
    lines,
    isFollowingAtFirst: isLive && current === undefined,
    isMeasured: isWrapped,
    layoutKey: `${isWrapped} ${hasTimestamps} ${hasSource}`,
  });
  const { start, end, isFollowing } = rows;
  const isAtLatest = isFollowing && isLive;

  const currentId = current === undefined ? undefined : lines.firstId + current;
  const center = useRef(rows.center);
  center.current = rows.center;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the position changes when older lines are loaded
  useLayoutEffect(() => {
    if (current !== undefined) center.current(current);
  }, [currentId]);

  useEffect(() => {
    const isFull = end - start < lines.length;
    if (start < LOAD_WITHIN_LINES && (!isFollowing || !isFull)) onNearStart?.();
    if (!isLive && end > lines.length - LOAD_WITHIN_LINES) onNearEnd?.();
  });

  return (
    <div className="relative rounded-b-box bg-log-page py-2">
      <div
        ref={rows.frame}
        role="log"
        aria-label={label}
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
        tabIndex={0}
        onScroll={rows.handleScroll}
        className={clsx(
          // The browser must not correct the scroll position by itself as well.
          'overflow-auto font-mono text-xs [contain:strict] [overflow-anchor:none] focus-visible:-outline-offset-2',
          props.className,
        )}
      >
        <div ref={rows.area}>
          <div ref={rows.block} className="relative">
            {linesOf(lines, start, end).map((line, index) => (
              <LogRow
                key={line.number}
                line={line}
                topPx={rows.tops[index] ?? 0}
                search={search}
                isCurrent={start + index === current}
                display={display}
                hasSource={hasSource}
              />
            ))}
          </div>
        </div>
      </div>
      {!isAtLatest && (
        <Button
          size="small"
          className="absolute right-4 bottom-3 shadow-float"
          onClick={() => {
            rows.follow();
            props.onJumpToLatest?.();
          }}
        >
          <ArrowDown size={14} aria-hidden="true" />
          {MESSAGES.jumpToLatest}
        </Button>
      )}
    </div>
  );
}
