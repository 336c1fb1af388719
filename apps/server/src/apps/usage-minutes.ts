import type { InstanceUsage } from '../engines/engine.ts';

/** What all instances had used at a time. */
export type UsageSample = { at: number; usages: InstanceUsage[] };

/** What an instance used between two times. Undefined: unknown. */
export type UsageInterval = {
  appId: string;
  instanceId: string;
  from: number;
  to: number;
  cpuSeconds: number | undefined;
  receivedBytes: number | undefined;
  sentBytes: number | undefined;
  /** The larger one of both times. */
  memoryBytes: number | undefined;
  /** At the end. */
  diskBytes: number | undefined;
};

/** The part of a minute in which an instance was measured. */
export type UsageMinute = Omit<UsageInterval, 'from' | 'to'> & {
  /** Minutes since 1970. */
  minute: number;
  coveredMs: number;
};

export const MINUTE_MS = 60_000;
/** After a longer time nobody knows when something was used: the machine was suspended, or its clock was set. */
const MAX_INTERVAL_MS = 5 * MINUTE_MS;

/** What instances used between two samples. One that is only in the second has just started, and is counted from then on. */
export function intervalsBetween(before: UsageSample, now: UsageSample): UsageInterval[] {
  const durationMs = now.at - before.at;
  if (durationMs <= 0 || durationMs > MAX_INTERVAL_MS) return [];
  const known = new Map(before.usages.map((usage) => [keyOf(usage), usage]));
  return now.usages.flatMap((usage) => {
    const previous = known.get(keyOf(usage));
    if (previous === undefined) return [];
    const { appId, instanceId, memoryBytes, diskBytes } = usage;
    return [
      {
        appId,
        instanceId,
        from: before.at,
        to: now.at,
        cpuSeconds: growth(previous.cpuSeconds, usage.cpuSeconds),
        receivedBytes: growth(previous.networkReceivedBytes, usage.networkReceivedBytes),
        sentBytes: growth(previous.networkSentBytes, usage.networkSentBytes),
        memoryBytes: larger(previous.memoryBytes, memoryBytes),
        diskBytes,
      },
    ];
  });
}

/** An instance that was restarted counts from zero again. */
function growth(before: number | undefined, now: number | undefined): number | undefined {
  if (before === undefined || now === undefined) return undefined;
  return now >= before ? now - before : now;
}

/** Divides an interval among the minutes that it touches, as if everything was used evenly. */
export function minutesOf(interval: UsageInterval): UsageMinute[] {
  const { from, to, cpuSeconds, receivedBytes, sentBytes, ...rest } = interval;
  const minutes: UsageMinute[] = [];
  for (let start = from; start < to; ) {
    const minute = Math.floor(start / MINUTE_MS);
    const end = Math.min(to, (minute + 1) * MINUTE_MS);
    const share = (end - start) / (to - from);
    minutes.push({
      ...rest,
      minute,
      coveredMs: end - start,
      cpuSeconds: times(cpuSeconds, share),
      receivedBytes: times(receivedBytes, share),
      sentBytes: times(sentBytes, share),
    });
    start = end;
  }
  return minutes;
}

/** Minutes of the same instance, `perRow` at a time, become one: sums of what was used, the largest memory, the last disk. */
export function mergeMinutes(minutes: UsageMinute[], perRow = 1): UsageMinute[] {
  const merged = new Map<string, UsageMinute>();
  for (const each of minutes) {
    const minute = each.minute - (each.minute % perRow);
    const key = `${keyOf(each)} ${minute}`;
    const before = merged.get(key);
    merged.set(key, before === undefined ? { ...each, minute } : sumOf(before, each));
  }
  return [...merged.values()];
}

function sumOf(one: UsageMinute, other: UsageMinute): UsageMinute {
  return {
    ...one,
    coveredMs: one.coveredMs + other.coveredMs,
    cpuSeconds: plus(one.cpuSeconds, other.cpuSeconds),
    receivedBytes: plus(one.receivedBytes, other.receivedBytes),
    sentBytes: plus(one.sentBytes, other.sentBytes),
    memoryBytes: larger(one.memoryBytes, other.memoryBytes),
    diskBytes: other.diskBytes ?? one.diskBytes,
  };
}

function keyOf({ appId, instanceId }: { appId: string; instanceId: string }): string {
  return `${appId} ${instanceId}`;
}

function plus(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined ? other : one + (other ?? 0);
}

function larger(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}

function times(amount: number | undefined, share: number): number | undefined {
  return amount === undefined ? undefined : amount * share;
}
