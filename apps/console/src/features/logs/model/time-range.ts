import type { LogSelection } from './log-window.ts';

export type TimeRangeName = 'all' | '15-minutes' | 'hour' | 'day' | 'custom';

/** `from` and `to` are values of local date and time inputs, such as `2026-01-31T09:30`; empty if not given. */
export type TimeRange = { name: TimeRangeName; from: string; to: string };

export const ALL_TIME: TimeRange = { name: 'all', from: '', to: '' };

const MINUTE_MS = 60_000;
const LENGTHS_MS: Partial<Record<TimeRangeName, number>> = {
  '15-minutes': 15 * MINUTE_MS,
  hour: 60 * MINUTE_MS,
  day: 24 * 60 * MINUTE_MS,
};

/** Undefined if the end is before the start. */
export function timesOf(
  { name, from, to }: TimeRange,
  now: number,
): Pick<LogSelection, 'from' | 'to'> | undefined {
  const lengthMs = LENGTHS_MS[name];
  if (lengthMs !== undefined) return { from: now - lengthMs, to: undefined };
  if (name !== 'custom') return { from: undefined, to: undefined };
  const times = { from: timeOf(from), to: endOf(timeOf(to)) };
  const isBackwards = times.from !== undefined && times.to !== undefined && times.to < times.from;
  return isBackwards ? undefined : times;
}

function timeOf(value: string): number | undefined {
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
}

/** An input has no seconds: its minute belongs to the range. */
function endOf(time: number | undefined): number | undefined {
  return time === undefined ? undefined : time + MINUTE_MS - 1;
}
