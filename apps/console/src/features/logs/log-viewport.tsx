import { useVirtualizer } from '@tanstack/react-virtual';
import { clsx } from 'clsx';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ArrowDown } from '../../ui/icons.tsx';
import { LogRow } from './log-row.tsx';
import type { LogDisplay } from './log-toolbar.tsx';
import { MESSAGES } from './messages.ts';
import type { NumberedLine } from './model/log-buffer.ts';
import { followsAfterScroll } from './model/log-view.ts';

const LINE_HEIGHT_PX = 20;
const OVERSCAN_LINES = 20;

const DEFAULT_DISPLAY: LogDisplay = { isWrapped: true, hasTimestamps: false };

type LogViewportProps = {
  label: string;
  lines: NumberedLine[];
  search?: string;
  /** Position of the search match to bring into view. */
  current?: number | undefined;
  display?: LogDisplay;
  hasSource?: boolean;
  className?: string;
};

/** Renders only the visible lines. */
export function LogViewport(props: LogViewportProps) {
  const {
    label,
    lines,
    search = '',
    current,
    display = DEFAULT_DISPLAY,
    hasSource = false,
  } = props;
  const { isWrapped } = display;
  const frame = useRef<HTMLDivElement>(null);
  const lastTop = useRef(0);
  const [isFollowing, setFollowing] = useState(true);
  // Stable while the lines are the same; otherwise every scroll would measure all lines again.
  const keyOf = useCallback((position: number) => lines[position]?.number ?? position, [lines]);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => LINE_HEIGHT_PX,
    getItemKey: keyOf,
    overscan: OVERSCAN_LINES,
  });
  const totalHeight = virtualizer.getTotalSize();

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the list has grown
  useLayoutEffect(() => {
    if (isFollowing && frame.current !== null) frame.current.scrollTop = frame.current.scrollHeight;
  }, [isFollowing, totalHeight, lines]);

  useLayoutEffect(() => {
    if (current === undefined) return;
    setFollowing(false);
    virtualizer.scrollToIndex(current, { align: 'center' });
  }, [current, virtualizer]);

  function updateFollowing() {
    if (frame.current === null) return;
    const { scrollTop: top, scrollHeight: height, clientHeight: visible } = frame.current;
    setFollowing(followsAfterScroll(isFollowing, lastTop.current, { top, height, visible }));
    lastTop.current = top;
  }

  return (
    <div className="relative">
      <div
        ref={frame}
        role="log"
        aria-label={label}
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
        tabIndex={0}
        onScroll={updateFollowing}
        className={clsx(
          'overflow-auto rounded-b-box bg-log-page py-2 font-mono text-xs focus-visible:-outline-offset-2',
          props.className,
        )}
      >
        <div className="relative min-w-fit" style={{ height: totalHeight }}>
          {virtualizer.getVirtualItems().map(({ key, index, start }) => {
            const line = lines[index];
            if (line === undefined) return null;
            return (
              <div
                key={key}
                ref={isWrapped ? virtualizer.measureElement : undefined}
                data-index={index}
                className={clsx('absolute top-0 left-0 min-w-full', isWrapped && 'w-full')}
                style={{ transform: `translateY(${start}px)` }}
              >
                <LogRow
                  line={line}
                  search={search}
                  isCurrent={index === current}
                  display={display}
                  hasSource={hasSource}
                />
              </div>
            );
          })}
        </div>
      </div>
      {!isFollowing && (
        <Button
          size="small"
          className="absolute right-4 bottom-3 shadow-float"
          onClick={() => setFollowing(true)}
        >
          <ArrowDown size={14} aria-hidden="true" />
          {MESSAGES.jumpToLatest}
        </Button>
      )}
    </div>
  );
}
