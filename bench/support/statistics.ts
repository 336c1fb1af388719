export function median(values: readonly number[]): number {
  const sorted = ascending(values);
  const middle = sorted.length / 2;
  return (at(sorted, Math.ceil(middle) - 1) + at(sorted, Math.floor(middle))) / 2;
}

/** The smallest value that at least this share (0 to 1) of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = ascending(values);
  return at(sorted, Math.max(0, Math.ceil(sorted.length * share) - 1));
}

function ascending(values: readonly number[]): number[] {
  return values.toSorted((a, b) => a - b);
}

function at(values: readonly number[], position: number): number {
  const value = values[position];
  if (value === undefined) throw new RangeError('No rounds were measured');
  return value;
}
