import { clsx } from 'clsx';
import { type KeyboardEvent, type PointerEvent, useId, useMemo } from 'react';
import { CARD_STYLE } from '../../ui/card.tsx';
import { ChartTable } from './chart-table.tsx';
import { MESSAGES } from './messages.ts';
import { endLabels, limitText, type Marker, scaleOf, valuesAt } from './model/chart-layout.ts';
import type { Chart } from './model/charts.ts';
import { AXIS, Plot } from './plot.tsx';

/** The time that all charts of the page point at. */
export type Cursor = { index: number | undefined; set(index: number | undefined): void };

type ChartCardProps = {
  chart: Chart;
  times: number[];
  markers: Marker[];
  /** Such as `the last hour`. */
  rangeText: string;
  cursor: Cursor;
  timeText(time: number): string;
  /** The same, shorter. */
  axisTimeText(time: number): string;
};

/** How many releases are named. All of them have a line. */
const NAMED_MARKERS = 2;
const SERIES_COLOURS = ['text-series-1', 'text-series-2', 'text-series-3'];
const TEXTS = MESSAGES.chart;

/** A metric: its number now, its lines, and the same as a table. */
export function ChartCard(props: ChartCardProps) {
  const { chart, times, markers, rangeText, cursor, timeText, axisTimeText } = props;
  const id = useId();
  const scale = useMemo(() => scaleOf(chart), [chart]);
  const labels = endLabels(chart, scale);
  const [value, rest] = chart.headline;
  const limit = limitText(chart);
  const last = times.length - 1;
  const shown = cursor.index === undefined ? undefined : Math.min(cursor.index, last);

  function move(event: KeyboardEvent) {
    const from = shown ?? last;
    const steps: Record<string, number> = {
      ArrowLeft: Math.max(0, from - 1),
      ArrowRight: Math.min(last, from + 1),
      PageUp: Math.max(0, from - Math.ceil(last / 10)),
      PageDown: Math.min(last, from + Math.ceil(last / 10)),
      Home: 0,
      End: last,
    };
    const next = steps[event.key];
    if (next === undefined) {
      if (event.key === 'Escape') cursor.set(undefined);
      return;
    }
    event.preventDefault();
    cursor.set(shown === undefined && event.key === 'ArrowRight' ? last : next);
  }

  function point(event: PointerEvent<HTMLDivElement>) {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - left) / width;
    cursor.set(Math.min(last, Math.max(0, Math.round(share * last))));
  }

  return (
    <figure aria-labelledby={id} className={clsx(CARD_STYLE, 'relative min-w-0')}>
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4 px-4 pt-3">
        <h2 id={id} className="font-semibold">
          {chart.title}
        </h2>
        <p className="text-[0.8125rem] text-muted tabular-nums">
          {value !== '' && <b className="font-semibold text-text">{value}</b>} {rest}
        </p>
      </figcaption>
      {chart.missing === undefined ? (
        <>
          <div className="relative mt-2 mr-20 h-44">
            <Plot chart={chart} times={times} scale={scale} timeText={axisTimeText} />
            {/* biome-ignore lint/a11y/useSemanticElements: no element means a chart that arrow keys read */}
            <div
              role="group"
              // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the cursor
              tabIndex={0}
              aria-roledescription={TEXTS.kind}
              aria-label={TEXTS.label(chart.title, rangeText, `${value} ${rest}`.trim())}
              onKeyDown={move}
              onBlur={() => cursor.set(undefined)}
              onPointerMove={point}
              onPointerLeave={() => cursor.set(undefined)}
              className="absolute top-0 right-0 rounded-sm"
              style={{ left: AXIS.left, bottom: AXIS.bottom }}
            >
              {markers.map((marker, position) => (
                <span
                  key={marker.number}
                  className="pointer-events-none absolute top-0 h-full border-l border-line-strong"
                  style={{ left: `${100 * marker.left}%` }}
                >
                  {position < NAMED_MARKERS && (
                    <span className="absolute top-0 right-1 bg-surface px-1 text-[0.6875rem] leading-tight whitespace-nowrap text-faint">
                      {TEXTS.release(marker.number)}
                    </span>
                  )}
                </span>
              ))}
              {labels.map(
                (label, index) =>
                  label !== undefined && (
                    <span
                      key={label.name}
                      className={clsx(
                        'absolute left-full ml-2 -translate-y-1/2 text-xs leading-tight font-medium whitespace-nowrap tabular-nums',
                        SERIES_COLOURS[index],
                      )}
                      style={{ top: `${100 * label.top}%` }}
                    >
                      {label.name}
                      <br />
                      {label.text}
                    </span>
                  ),
              )}
              {limit !== undefined && (
                <span
                  className="absolute left-full ml-2 -translate-y-1/2 text-xs leading-tight whitespace-nowrap text-faint tabular-nums"
                  style={{ top: `${100 * (1 - (chart.limit ?? 0) / scale.top)}%` }}
                >
                  {TEXTS.limit}
                  <br />
                  {limit}
                </span>
              )}
              {shown !== undefined && (
                <CursorLine
                  left={last === 0 ? 0 : shown / last}
                  lines={[timeText(times[shown] ?? 0), ...valuesAt(chart, shown, TEXTS.unknown)]}
                />
              )}
            </div>
          </div>
          <ChartTable chart={chart} times={times} timeText={timeText} />
        </>
      ) : (
        <p className="px-4 py-6 text-muted">{chart.missing}</p>
      )}
    </figure>
  );
}

/** A line at a time, with the values beside it, on the side that has room. */
function CursorLine({ left, lines }: { left: number; lines: string[] }) {
  return (
    <span
      className="pointer-events-none absolute top-0 z-10 h-full border-l border-text"
      style={{ left: `${100 * left}%` }}
    >
      <span
        role="status"
        className={clsx(
          'absolute top-0 grid rounded-box border border-line bg-raised px-2 py-1.5 text-xs whitespace-nowrap tabular-nums shadow-float',
          left > 0.5 ? 'right-1.5' : 'left-1.5',
        )}
      >
        {lines.map((line, index) => (
          <span key={line} className={index === 0 ? 'text-faint' : SERIES_COLOURS[index - 1]}>
            {line}
          </span>
        ))}
      </span>
    </span>
  );
}
