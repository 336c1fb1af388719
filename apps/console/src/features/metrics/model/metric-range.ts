import type { MetricStep } from '@longshore/contract';

export const METRIC_RANGES = ['1h', '6h', '24h', '7d'] as const;

export type MetricRange = (typeof METRIC_RANGES)[number];

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** The server stores a minute a moment after its end. */
const SETTLE_MS = 20_000;

const FACTS: Record<MetricRange, { durationMs: number; step: MetricStep }> = {
  '1h': { durationMs: HOUR_MS, step: 1 },
  '6h': { durationMs: 6 * HOUR_MS, step: 1 },
  '24h': { durationMs: 24 * HOUR_MS, step: 15 },
  '7d': { durationMs: 7 * 24 * HOUR_MS, step: 15 },
};

export function stepOf(range: MetricRange): MetricStep {
  return FACTS[range].step;
}

/** The times of all points of a chart: each is the start of a step. */
export type TimeGrid = { stepMs: number; times: number[]; now: number };

/** Of minutes only whole ones. The current quarter of an hour is shown as far as it is known. */
export function timeGrid(range: MetricRange, now: number): TimeGrid {
  const { durationMs, step } = FACTS[range];
  const stepMs = step * MINUTE_MS;
  const last =
    step === 1
      ? Math.floor((now - SETTLE_MS) / stepMs) * stepMs - stepMs
      : Math.floor((now - SETTLE_MS) / stepMs) * stepMs;
  const count = durationMs / stepMs;
  const times = Array.from({ length: count }, (_, index) => last - (count - 1 - index) * stepMs);
  return { stepMs, times, now };
}

/** Where the grid begins. */
export function startOf({ times, now }: TimeGrid): Date {
  return new Date(times[0] ?? now);
}
