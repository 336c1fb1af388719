const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** What the numbers of a chart are. */
export type MetricUnit = 'cpu' | 'bytes' | 'rate' | 'count' | 'duration';

/** With its unit, such as `0.25 CPU` or `221 MiB`. */
export function metricText(value: number, unit: MetricUnit): string {
  switch (unit) {
    case 'cpu':
      return `${cpuNumber(value)} CPU`;
    case 'bytes':
      return bytesText(value);
    case 'rate':
      return rateText(value);
    case 'count':
      return `${countText(value)} /min`;
    case 'duration':
      return durationText(value);
  }
}

/** The same, short enough for an axis. */
export function axisText(value: number, unit: MetricUnit): string {
  if (value === 0) return '0';
  if (unit === 'cpu') return cpuNumber(value);
  return unit === 'count' ? countText(value) : metricText(value, unit);
}

export function cpuNumber(value: number): string {
  return String(Number(value.toFixed(value < 0.1 ? 3 : 2)));
}

export function bytesText(bytes: number): string {
  if (bytes < MIB) return `${Math.round(bytes / 1024)} KiB`;
  if (bytes < GIB) return `${rounded(bytes / MIB)} MiB`;
  return `${rounded(bytes / GIB)} GiB`;
}

/** In decimal units, as bandwidth is. */
function rateText(bytesPerSecond: number): string {
  if (bytesPerSecond < 1e3) return `${rounded(bytesPerSecond)} B/s`;
  if (bytesPerSecond < 1e6) return `${rounded(bytesPerSecond / 1e3)} kB/s`;
  return `${rounded(bytesPerSecond / 1e6)} MB/s`;
}

export function countText(count: number): string {
  return count.toLocaleString('en-US', { maximumFractionDigits: count < 10 ? 1 : 0 });
}

function durationText(ms: number): string {
  return ms < 1_000 ? `${rounded(ms)} ms` : `${rounded(ms / 1_000)} s`;
}

/** `0.1 %` */
export function shareText(share: number): string {
  return `${(100 * share).toLocaleString('en-US', { maximumFractionDigits: 1 })} %`;
}

/** One digit after the point below ten. */
function rounded(value: number): string {
  return (value < 10 ? Number(value.toFixed(1)) : Math.round(value)).toLocaleString('en-US');
}

/** The end of an axis: a round number in its unit that is not below the value. */
export function niceMaximum(value: number, unit: MetricUnit): number {
  const base = unit !== 'bytes' ? 1 : value >= GIB ? GIB : MIB;
  const amount = value / base;
  if (!(amount > 0)) return unit === 'duration' ? 10 : base;
  const magnitude = 10 ** Math.floor(Math.log10(amount));
  const step = [1, 2, 4, 5, 6, 8, 10].find((each) => each * magnitude >= amount) ?? 10;
  return step * magnitude * base;
}
