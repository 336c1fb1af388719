import type { MetricRange } from './metric-range.ts';

const CLOCK: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
const DAY: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric', ...CLOCK };

/** A time of a chart in the time zone of the reader. A week needs the day. */
export function timeText(time: number, range: MetricRange): string {
  return new Date(time).toLocaleString('en-US', range === '7d' ? DAY : CLOCK);
}
