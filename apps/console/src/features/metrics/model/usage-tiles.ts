import { MESSAGES } from '../messages.ts';
import { scaleOf } from './chart-layout.ts';
import { type Chart, type ChartsInput, chartsOf, latest, peakOf, type Values } from './charts.ts';
import { bytesText, countText, cpuNumber, metricText, shareText } from './metric-text.ts';

/** A number of the overview, with its last hour. */
export type UsageTile = {
  name: string;
  value: string;
  note: string;
  values: Values;
  maximum: number;
  label: string;
};

const TEXTS = MESSAGES.usage;

/** Undefined while nothing is known of the app. */
export function usageTiles(input: Omit<ChartsInput, 'instance'>): UsageTile[] | undefined {
  const { usage, traffic } = input.metrics;
  if (usage.length === 0 && traffic.length === 0) return undefined;
  const charts = chartsOf({ ...input, instance: undefined });
  return charts.flatMap((chart) => {
    switch (chart.key) {
      case 'cpu':
        return [limitedTile(chart, input.size && `${cpuNumber(input.size.cpus)} CPU`)];
      case 'memory':
        return [limitedTile(chart, input.size && bytesText(input.size.memoryBytes))];
      case 'requests':
        return [requestsTile(chart)];
      case 'errors':
        return [errorsTile(chart, input)];
      default:
        return [];
    }
  });
}

/** The highest instance, because the limit is that of one instance. */
function limitedTile(chart: Chart, limit: string | undefined): UsageTile {
  const values = highest(chart);
  const now = latest(values);
  const text = chart.key === 'cpu' ? cpuNumber : bytesText;
  return {
    ...tile(chart, values),
    value: now === undefined ? TEXTS.none : text(now),
    note: now === undefined || limit === undefined ? '' : TEXTS.of(limit),
  };
}

function requestsTile(chart: Chart): UsageTile {
  const values = chart.series[0]?.values ?? [];
  return { ...tile(chart, values), value: countText(latest(values) ?? 0), note: TEXTS.perMinute };
}

function errorsTile(chart: Chart, { metrics }: Pick<ChartsInput, 'metrics'>): UsageTile {
  const [serverErrors] = chart.series;
  const counts = metrics.traffic.map(({ statuses }) => statuses);
  const all = total(counts.flat());
  const errors = total(counts.map((statuses) => statuses[4] ?? 0));
  return {
    ...tile(chart, serverErrors?.values ?? []),
    name: TEXTS.serverErrors,
    value: shareText(all === 0 ? 0 : errors / all),
    note: TEXTS.errorCount(countText(errors), countText(all)),
  };
}

function tile(chart: Chart, values: Values) {
  const known = values.filter((value) => value !== null);
  const lowest = Math.min(...known);
  const text = (value: number) => metricText(value, chart.unit);
  const label =
    known.length === 0
      ? TEXTS.noSpark(chart.title)
      : TEXTS.spark(chart.title, text(lowest), text(peakOf(values) ?? 0));
  return { name: chart.title, values, maximum: scaleOf(chart).maximum, label };
}

function highest({ series }: Chart): Values {
  const length = series[0]?.values.length ?? 0;
  return Array.from({ length }, (_, index) => {
    const known = series.flatMap(({ values }) => values[index] ?? []);
    return known.length === 0 ? null : Math.max(...known);
  });
}

function total(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
