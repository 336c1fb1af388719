import type { AppCounters } from '@longshore/edge-contract';
import { LATENCY_BOUNDS_MS } from '@longshore/edge-contract';
import type { UsageInterval, UsageSample } from '../apps/usage-minutes.ts';

/** What an app has used and served since the server started, and what it uses now. */
export type AppTotal = {
  instances: number;
  memoryBytes: number | undefined;
  diskBytes: number | undefined;
  cpuSeconds: number | undefined;
  receivedBytes: number | undefined;
  sentBytes: number | undefined;
  /** Responses 1xx to 5xx. */
  statuses: number[];
  /** By bucket of `LATENCY_BOUNDS_MS`. */
  latencies: number[];
  /** The sum of all durations. */
  durationMs: number;
};

/** Sums for programs that read metrics. They are per app: instances get new numbers for ever, apps do not. */
export type AppTotals = {
  addUsage(sample: UsageSample, intervals: UsageInterval[]): void;
  addRequests(counters: AppCounters[]): void;
  of(appId: string): AppTotal | undefined;
  /** Forgets all others. */
  keep(appIds: ReadonlySet<string>): void;
};

const STATUS_CLASSES = 5;

export function createAppTotals(): AppTotals {
  const totals = new Map<string, AppTotal>();

  function totalOf(appId: string): AppTotal {
    const total = totals.get(appId) ?? nothing();
    totals.set(appId, total);
    return total;
  }

  return {
    addUsage({ usages }, intervals) {
      for (const total of totals.values()) {
        Object.assign(total, { instances: 0, memoryBytes: undefined, diskBytes: undefined });
      }
      for (const { appId, memoryBytes, diskBytes } of usages) {
        const total = totalOf(appId);
        total.instances += 1;
        total.memoryBytes = plus(total.memoryBytes, memoryBytes);
        // Instances may share a disk.
        if (diskBytes !== undefined) total.diskBytes = Math.max(total.diskBytes ?? 0, diskBytes);
      }
      for (const { appId, cpuSeconds, receivedBytes, sentBytes } of intervals) {
        const total = totalOf(appId);
        total.cpuSeconds = plus(total.cpuSeconds, cpuSeconds);
        total.receivedBytes = plus(total.receivedBytes, receivedBytes);
        total.sentBytes = plus(total.sentBytes, sentBytes);
      }
    },
    addRequests(counters) {
      for (const { appId, statuses, latencies, durationMs = 0 } of counters) {
        const total = totalOf(appId);
        addCounts(total.statuses, statuses);
        addCounts(total.latencies, latencies);
        total.durationMs += durationMs;
      }
    },
    of: (appId) => totals.get(appId),
    keep(appIds) {
      for (const appId of totals.keys()) if (!appIds.has(appId)) totals.delete(appId);
    },
  };
}

function nothing(): AppTotal {
  return {
    instances: 0,
    memoryBytes: undefined,
    diskBytes: undefined,
    cpuSeconds: undefined,
    receivedBytes: undefined,
    sentBytes: undefined,
    statuses: Array(STATUS_CLASSES).fill(0),
    latencies: Array(LATENCY_BOUNDS_MS.length + 1).fill(0),
    durationMs: 0,
  };
}

function plus(sum: number | undefined, added: number | undefined): number | undefined {
  return added === undefined ? sum : (sum ?? 0) + added;
}

function addCounts(sums: number[], counts: readonly number[]): void {
  sums.forEach((sum, index) => {
    sums[index] = sum + (counts[index] ?? 0);
  });
}
