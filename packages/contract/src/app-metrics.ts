import { isRecord } from './type-guards.ts';

/** How many minutes a row of usage or traffic is about. */
export const METRIC_STEPS = [1, 15] as const;

export type MetricStep = (typeof METRIC_STEPS)[number];

/** What an instance used in one step. Null: the engine does not measure it. */
export type UsageRow = {
  at: number;
  instance: string;
  /** How long it was measured within the step. */
  coveredMs: number;
  cpuMs: number | null;
  /** The most that was in use. */
  memoryBytes: number | null;
  receivedBytes: number | null;
  sentBytes: number | null;
  diskBytes: number | null;
};

/** The requests to an app that ended in one step. */
export type TrafficRow = {
  at: number;
  /** Responses 1xx to 5xx. */
  statuses: number[];
  /** Durations, counted per bucket of `LATENCY_BOUNDS_MS`; the last bucket has no bound. */
  latencies: number[];
};

/** The same as those of the edge. */
export const LATENCY_BOUNDS_MS = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000] as const;

/** In the order of time. Without a usage row nothing was measured; without a traffic row there were no requests. */
export type AppMetrics = { usage: UsageRow[]; traffic: TrafficRow[] };

/** Skips malformed rows. */
export function decodeAppMetrics(data: unknown): AppMetrics {
  const { usage, traffic } = isRecord(data) ? data : {};
  return {
    usage: rowsOf(usage).flatMap(decodeUsage).sort(byTime),
    traffic: rowsOf(traffic).flatMap(decodeTraffic).sort(byTime),
  };
}

function decodeUsage(row: Record<string, unknown>): UsageRow[] {
  const at = timeOf(row.at);
  if (at === undefined || typeof row.instance !== 'string') return [];
  return [
    {
      at,
      instance: row.instance,
      coveredMs: Number(row.covered_ms),
      cpuMs: numberOrNull(row.cpu_ms),
      memoryBytes: numberOrNull(row.memory_bytes),
      receivedBytes: numberOrNull(row.received_bytes),
      sentBytes: numberOrNull(row.sent_bytes),
      diskBytes: numberOrNull(row.disk_bytes),
    },
  ];
}

function decodeTraffic(row: Record<string, unknown>): TrafficRow[] {
  const at = timeOf(row.at);
  if (at === undefined || !Array.isArray(row.statuses) || !Array.isArray(row.latencies)) return [];
  return [{ at, statuses: row.statuses.map(Number), latencies: row.latencies.map(Number) }];
}

function rowsOf(rows: unknown): Record<string, unknown>[] {
  return Array.isArray(rows) ? rows.filter(isRecord) : [];
}

function timeOf(text: unknown): number | undefined {
  const time = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function numberOrNull(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value);
}

function byTime(one: { at: number }, other: { at: number }): number {
  return one.at - other.at;
}
