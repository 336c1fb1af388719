const UNITS: [limitSeconds: number, unitSeconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [3_600, 60, 'minute'],
  [86_400, 3_600, 'hour'],
  [604_800, 86_400, 'day'],
  [2_629_800, 604_800, 'week'],
  [31_557_600, 2_629_800, 'month'],
  [Number.POSITIVE_INFINITY, 31_557_600, 'year'],
];

const formatter = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

export function relativeTime(at: Date, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - at.getTime()) / 1_000));
  if (seconds < 60) return 'just now';
  const [, unitSeconds, unit] = UNITS.find(([limit]) => seconds < limit) ?? [0, 60, 'minute'];
  return formatter.format(-Math.floor(seconds / unitSeconds), unit as Intl.RelativeTimeFormatUnit);
}

/** `42 s`, `3 min 05 s`. */
export function elapsed(fromMs: number, toMs: number): string {
  const seconds = Math.max(0, Math.floor((toMs - fromMs) / 1_000));
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

export function durationText(ms: number): string {
  return ms < 1_000 ? 'under 1 s' : elapsed(0, ms);
}
