import type { AppMetrics, ConsoleConfig, Size, TrafficRow, UsageRow } from '@longshore/contract';
import { MESSAGES } from '../messages.ts';
import { instanceLanes } from './instance-lanes.ts';
import type { TimeGrid } from './metric-range.ts';
import {
  bytesText,
  countText,
  cpuNumber,
  type MetricUnit,
  metricText,
  shareText,
} from './metric-text.ts';
import { percentile } from './percentile.ts';

export type Values = (number | null)[];

/** A line. Null: nothing is known of that time, which is shown as a gap. */
export type Series = { name: string; values: Values };

export type Chart = {
  key: 'cpu' | 'memory' | 'requests' | 'errors' | 'latency' | 'network' | 'disk';
  title: string;
  unit: MetricUnit;
  /** Now, in words: the important number, and the rest of the sentence. */
  headline: [string, string];
  /** At most three. */
  series: Series[];
  limit?: number;
  isFilled?: true;
  /** Why there is nothing to show. */
  missing?: string;
};

export type ChartsInput = {
  metrics: AppMetrics;
  grid: TimeGrid;
  /** What each instance may use. Undefined: unknown. */
  size: Pick<Size, 'cpus' | 'memoryBytes'> | undefined;
  /** Undefined: all of them. */
  instance: string | undefined;
  /** The app did not exist before. */
  createdAt: number;
  /** Decides what it says of numbers that are not measured. */
  engine: ConsoleConfig['engine'];
};

const MAX_SERIES = 3;
/** A number is that of now if it is not older than so many steps. */
const RECENT_STEPS = 3;
const MINUTE_MS = 60_000;
const [CLIENT_ERRORS, SERVER_ERRORS] = [3, 4];

const TEXTS = MESSAGES.charts;

export function chartsOf(input: ChartsInput): Chart[] {
  const { metrics, instance } = input;
  const usage = metrics.usage.filter((row) => instance === undefined || row.instance === instance);
  return [
    cpuChart(usage, input),
    memoryChart(usage, input),
    ...trafficCharts(metrics.traffic, input),
    networkChart(usage, input),
    diskChart(usage, input),
  ];
}

function cpuChart(usage: UsageRow[], { grid, size, engine }: ChartsInput): Chart {
  const pick = ({ cpuMs, coveredMs }: UsageRow) =>
    cpuMs === null || coveredMs === 0 ? null : cpuMs / coveredMs;
  const sum = sumOfInstances(usage, grid, pick);
  const running = runningAt(usage, grid);
  return {
    key: 'cpu',
    title: TEXTS.cpu,
    unit: 'cpu',
    headline: limitedHeadline(sum, {
      text: cpuNumber,
      limit: size && `${cpuNumber(size.cpus * running)} CPU`,
      unit: 'CPU',
    }),
    series: instanceSeries(usage, grid, pick),
    ...(size && { limit: size.cpus }),
    ...missing(usage, sum, notMeasured(engine).cpu),
  };
}

function memoryChart(usage: UsageRow[], { grid, size, engine }: ChartsInput): Chart {
  const pick = ({ memoryBytes }: UsageRow) => memoryBytes;
  const sum = sumOfInstances(usage, grid, pick);
  const running = runningAt(usage, grid);
  return {
    key: 'memory',
    title: TEXTS.memory,
    unit: 'bytes',
    headline: limitedHeadline(sum, {
      text: bytesText,
      limit: size && bytesText(size.memoryBytes * running),
      unit: '',
    }),
    series: instanceSeries(usage, grid, pick),
    ...(size && { limit: size.memoryBytes }),
    ...missing(usage, sum, notMeasured(engine).memory),
  };
}

function networkChart(usage: UsageRow[], { grid, engine }: ChartsInput): Chart {
  const rate = (bytes: number | null, coveredMs: number) =>
    bytes === null || coveredMs === 0 ? null : (bytes * 1_000) / coveredMs;
  const out = sumOfInstances(usage, grid, (row) => rate(row.sentBytes, row.coveredMs));
  const into = sumOfInstances(usage, grid, (row) => rate(row.receivedBytes, row.coveredMs));
  const [sent, received] = [latest(out), latest(into)];
  return {
    key: 'network',
    title: TEXTS.network,
    unit: 'rate',
    headline:
      sent === undefined || received === undefined
        ? ['', TEXTS.nothingNow]
        : [metricText(sent, 'rate'), TEXTS.networkNow(metricText(received, 'rate'))],
    series: [
      { name: TEXTS.out, values: out },
      { name: TEXTS.into, values: into },
    ],
    ...missing(usage, out, notMeasured(engine).network),
  };
}

/** Instances of an app may share a disk, so the numbers are not added up. */
function diskChart(usage: UsageRow[], { grid, engine }: ChartsInput): Chart {
  const rows = byTime(usage);
  const values = grid.times.map((at) => {
    const known = (rows.get(at) ?? []).flatMap(({ diskBytes }) => diskBytes ?? []);
    return known.length === 0 ? null : Math.max(...known);
  });
  const now = latest(values);
  return {
    key: 'disk',
    title: TEXTS.disk,
    unit: 'bytes',
    headline: now === undefined ? ['', TEXTS.nothingNow] : [bytesText(now), TEXTS.now],
    series: [{ name: TEXTS.used, values }],
    isFilled: true,
    ...missing(usage, values, notMeasured(engine).disk),
  };
}

function trafficCharts(traffic: TrafficRow[], { grid, createdAt }: ChartsInput): Chart[] {
  const rows = new Map(traffic.map((row) => [row.at, row]));
  const minutesAt = (at: number) =>
    Math.max(1, (Math.min(at + grid.stepMs, grid.now) - at) / MINUTE_MS);
  const existed = (at: number) => at + grid.stepMs > createdAt;
  const perMinute = (count: (row: TrafficRow) => number): Values =>
    grid.times.map((at) => {
      const row = rows.get(at);
      if (row !== undefined) return count(row) / minutesAt(at);
      return existed(at) ? 0 : null;
    });
  const all = perMinute(({ statuses }) => total(statuses));
  const [clientErrors, serverErrors] = [CLIENT_ERRORS, SERVER_ERRORS].map((kind) =>
    perMinute(({ statuses }) => statuses[kind] ?? 0),
  ) as [Values, Values];
  const shown = traffic.filter(({ at }) => at >= (grid.times[0] ?? 0));
  const latency = (share: number): Values =>
    grid.times.map((at) => percentile(rows.get(at)?.latencies ?? [], share));
  const slow = latency(0.95);
  const [allNow, errorsNow, slowNow] = [latest(all) ?? 0, latest(serverErrors) ?? 0, latest(slow)];
  return [
    {
      key: 'requests',
      title: TEXTS.requests,
      unit: 'count',
      headline: [
        countText(allNow),
        TEXTS.requestsNow(countText(total(shown.map(({ statuses }) => total(statuses))))),
      ],
      series: [{ name: TEXTS.all, values: all }],
      isFilled: true,
    },
    {
      key: 'errors',
      title: TEXTS.errors,
      unit: 'count',
      headline: [
        shareText(allNow === 0 ? 0 : errorsNow / allNow),
        TEXTS.errorsNow(countText(peakOf(serverErrors) ?? 0)),
      ],
      series: [
        { name: TEXTS.serverErrors, values: serverErrors },
        { name: TEXTS.clientErrors, values: clientErrors },
      ],
    },
    {
      key: 'latency',
      title: TEXTS.latency,
      unit: 'duration',
      headline:
        slowNow === undefined
          ? ['', TEXTS.noRequestsNow]
          : [
              metricText(slowNow, 'duration'),
              TEXTS.latencyNow(metricText(peakOf(slow) ?? 0, 'duration')),
            ],
      series: [
        { name: TEXTS.p95, values: slow },
        { name: TEXTS.p50, values: latency(0.5) },
        { name: TEXTS.p99, values: latency(0.99) },
      ],
    },
  ];
}

/** A line for each instance, or the highest and the average one if there are too many. */
function instanceSeries(usage: UsageRow[], grid: TimeGrid, pick: Reading): Series[] {
  const lanes = instanceLanes(usage, grid);
  if (lanes.length <= MAX_SERIES) {
    return lanes.map(({ instance, rows }) => {
      const values = new Map(rows.map((row) => [row.at, pick(row)]));
      return {
        name: TEXTS.instance(instance),
        values: grid.times.map((at) => values.get(at) ?? null),
      };
    });
  }
  const rows = byTime(usage);
  const valuesAt = (at: number) => (rows.get(at) ?? []).flatMap((row) => pick(row) ?? []);
  const combined = (combine: (values: number[]) => number): Values =>
    grid.times.map(valuesAt).map((values) => (values.length === 0 ? null : combine(values)));
  return [
    { name: TEXTS.highest, values: combined((values) => Math.max(...values)) },
    { name: TEXTS.average, values: combined((values) => total(values) / values.length) },
  ];
}

type Reading = (row: UsageRow) => number | null;

function sumOfInstances(usage: UsageRow[], grid: TimeGrid, pick: Reading): Values {
  const rows = byTime(usage);
  return grid.times.map((at) => {
    const known = (rows.get(at) ?? []).flatMap((row) => pick(row) ?? []);
    return known.length === 0 ? null : total(known);
  });
}

/** How many instances ran at the newest time with a number. */
function runningAt(usage: UsageRow[], grid: TimeGrid): number {
  const rows = byTime(usage);
  const last = grid.times.findLast((at) => rows.has(at));
  return last === undefined ? 1 : (rows.get(last)?.length ?? 1);
}

function limitedHeadline(
  sum: Values,
  {
    text,
    limit,
    unit,
  }: { text: (value: number) => string; limit: string | undefined; unit: string },
): [string, string] {
  const now = latest(sum);
  if (now === undefined) return ['', TEXTS.nothingNow];
  const peak = text(peakOf(sum) ?? 0);
  return [
    text(now),
    limit === undefined ? TEXTS.unlimitedNow(unit, peak) : TEXTS.limitedNow(limit, peak),
  ];
}

function notMeasured(engine: ConsoleConfig['engine']) {
  return engine === 'kubernetes' ? TEXTS.notMeasuredOnCluster : TEXTS.notMeasured;
}

/** An instance ran, but this was not measured. */
function missing(usage: UsageRow[], values: Values, text: string): Partial<Chart> {
  return usage.length > 0 && values.every((value) => value === null) ? { missing: text } : {};
}

/** The newest number, if it is not too old. */
export function latest(values: Values): number | undefined {
  return values.slice(-RECENT_STEPS).findLast((value) => value !== null) ?? undefined;
}

export function peakOf(values: Values): number | undefined {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? undefined : Math.max(...known);
}

function byTime(usage: UsageRow[]): Map<number, UsageRow[]> {
  return Map.groupBy(usage, ({ at }) => at);
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
