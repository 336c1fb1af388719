import type { Chart, Values } from './charts.ts';
import { latest, peakOf } from './charts.ts';
import { metricText, niceMaximum } from './metric-text.ts';

/** Room above the highest number, for the names of releases. */
const HEADROOM = 1.12;
/** Two labels of two lines must not touch: a part of the height. */
const LABEL_GAP = 0.2;
/** Below are the times and the link to the table. */
const LOWEST_LABEL = 0.92;

/** From 0 to `top`, with a label at 0, half of the maximum, and the maximum. */
export type Scale = { maximum: number; top: number };

export function scaleOf({ series, limit = 0, unit }: Chart): Scale {
  const peak = Math.max(0, ...series.map(({ values }) => peakOf(values) ?? 0));
  const maximum = limit > 0 && peak <= limit ? limit : niceMaximum(peak, unit);
  return { maximum, top: maximum * HEADROOM };
}

/** Beside the end of a line. `top`: a share of the height. */
export type EndLabel = { name: string; text: string; top: number };

/** Only lines that reach the end have one. They keep a distance, in the order of their values. */
export function endLabels(chart: Chart, { top }: Scale): (EndLabel | undefined)[] {
  const wanted = chart.series.map(({ values }) => {
    const value = latest(values);
    return value === undefined ? undefined : 1 - value / top;
  });
  const placed = spread(wanted);
  return chart.series.map(({ name, values }, index) => {
    const [value, at] = [latest(values), placed[index]];
    if (value === undefined || at === undefined) return undefined;
    return { name, text: metricText(value, chart.unit), top: at };
  });
}

/** Moves labels up from the bottom until they do not touch. */
export function spread(wanted: (number | undefined)[]): (number | undefined)[] {
  const placed = [...wanted];
  const order = wanted
    .flatMap((top, index) => (top === undefined ? [] : [{ top, index }]))
    .sort((one, other) => other.top - one.top);
  let limit = LOWEST_LABEL;
  for (const { top, index } of order) {
    const at = Math.min(top, limit);
    placed[index] = at;
    limit = at - LABEL_GAP;
  }
  return placed;
}

export function limitText({ limit, unit }: Chart): string | undefined {
  return limit === undefined ? undefined : metricText(limit, unit);
}

/** The values of all lines at a time, for the cursor. */
export function valuesAt({ series, unit }: Chart, index: number, unknown: string): string[] {
  return series.map(({ name, values }) => `${name} ${valueText(values, index, unit, unknown)}`);
}

export function valueText(
  values: Values,
  index: number,
  unit: Chart['unit'],
  unknown: string,
): string {
  const value = values[index] ?? null;
  return value === null ? unknown : metricText(value, unit);
}

/** A release that went live within the times of a chart. `left`: a share of the width. */
export type Marker = { number: number; left: number };

type MarkedRelease = { number: number; outcome: string | undefined; endedAt: string | undefined };

export function releaseMarkers(releases: readonly MarkedRelease[], times: number[]): Marker[] {
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined || first === last) return [];
  return releases.flatMap(({ number, outcome, endedAt }) => {
    const at = Date.parse(endedAt ?? '');
    if (outcome !== 'live' || !(at >= first && at <= last)) return [];
    return [{ number, left: (at - first) / (last - first) }];
  });
}

/** The rows of the table behind a chart: at most so many, the newest last. */
export function tableIndexes(length: number, maximum = 24): number[] {
  const every = Math.max(1, Math.ceil(length / maximum));
  return Array.from({ length }, (_, index) => index).filter(
    (index) => (length - 1 - index) % every === 0,
  );
}
