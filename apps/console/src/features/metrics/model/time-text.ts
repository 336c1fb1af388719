import type { MetricRange } from './metric-range.ts';

const CLOCK: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
const DAY: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric', ...CLOCK };

/** Below a chart there is only room for the day of a week. */
export function axisTimeText(time: number, range: MetricRange): string {
  if (range !== '7d') return timeText(time, range);
  return new Date(time).toLocaleString('en-US', { month: 'short', day: 'numeric' });
}

/** A time of a chart in the time zone of the reader. A week needs the day. */
export function timeText(time: number, range: MetricRange): string {
  return new Date(time).toLocaleString('en-US', range === '7d' ? DAY : CLOCK);
}
