import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useTheme } from '../../lib/use-appearance.ts';
import type { Scale } from './model/chart-layout.ts';
import type { Chart } from './model/charts.ts';
import { axisText } from './model/metric-text.ts';

/** The room for labels beside and below the lines, in pixels. */
export const AXIS = { left: 56, bottom: 24 };

const COLOURS = ['--series-1', '--series-2', '--series-3'];
const FONT = '11px sans-serif';
const LINE_WIDTH = 1.75;
/** Color is never the only difference between two lines. */
const DASHES = [undefined, [5, 3], [2, 3]];

type PlotProps = { chart: Chart; times: number[]; scale: Scale; timeText(time: number): string };

/** Draws the lines. Texts beside them are HTML, so that they can be read aloud and selected. */
export function Plot({ chart, times, scale, timeText }: PlotProps) {
  const container = useRef<HTMLDivElement>(null);
  const theme = useTheme();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes the colors
  useEffect(() => {
    const element = container.current;
    if (element === null || !canDraw()) return;
    const data: uPlot.AlignedData = [
      times.map((time) => time / 1_000),
      ...chart.series.map(({ values }) => values),
      ...(chart.limit === undefined ? [] : [times.map(() => chart.limit ?? null)]),
    ];
    const options = plotOptions(chart, scale, colours(element), timeText);
    const plot = new uPlot({ ...options, ...sizeOf(element) }, data, element);
    const observer = new ResizeObserver(() => plot.setSize(sizeOf(element)));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [chart, times, scale, timeText, theme]);

  return <div ref={container} aria-hidden="true" className="absolute inset-0" />;
}

function canDraw(): boolean {
  return document.createElement('canvas').getContext('2d') !== null;
}

function sizeOf(element: HTMLElement): { width: number; height: number } {
  return { width: element.clientWidth, height: element.clientHeight };
}

type Colours = { series: string[]; line: string; text: string };

function colours(element: HTMLElement): Colours {
  const style = getComputedStyle(element);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return { series: COLOURS.map(read), line: read('--line'), text: read('--faint') };
}

function plotOptions(
  { series, limit, unit, isFilled }: Chart,
  { maximum, top }: Scale,
  { series: strokes, line, text }: Colours,
  timeText: (time: number) => string,
): Omit<uPlot.Options, 'width' | 'height'> {
  const axis = { stroke: text, font: FONT, ticks: { show: false } };
  return {
    padding: [0, 0, 0, 0],
    cursor: { show: false },
    legend: { show: false },
    select: { show: false, left: 0, top: 0, width: 0, height: 0 },
    scales: { x: { time: true }, y: { range: [0, top] } },
    axes: [
      {
        ...axis,
        size: AXIS.bottom,
        gap: 6,
        space: 64,
        grid: { show: false },
        values: (_, splits) => splits.map((seconds) => timeText(seconds * 1_000)),
      },
      {
        ...axis,
        size: AXIS.left,
        gap: 8,
        grid: { stroke: line, width: 1 },
        splits: () => [0, maximum / 2, maximum],
        values: (_, splits) => splits.map((value) => axisText(value, unit)),
      },
    ],
    series: [
      {},
      ...series.map((_, index) => ({
        stroke: strokes[index] ?? text,
        width: LINE_WIDTH,
        ...(DASHES[index] && { dash: DASHES[index] }),
        ...(isFilled && { fill: `color-mix(in srgb, ${strokes[index]} 10%, transparent)` }),
        points: { show: isolatedPoints },
      })),
      ...(limit === undefined
        ? []
        : [{ stroke: text, width: 1, dash: [2, 3], points: { show: false } }]),
    ],
  };
}

/** A number without neighbours has no line, so it is drawn as a point. */
function isolatedPoints(plot: uPlot, seriesIndex: number): boolean {
  const values = plot.data[seriesIndex] ?? [];
  return values.filter((value) => value !== null).length === 1;
}
