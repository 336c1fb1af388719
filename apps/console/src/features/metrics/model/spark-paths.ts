import type { Values } from './charts.ts';

/** The lines of a small chart in a square of 100, one for each part without a gap. */
export function sparkPaths(values: Values, maximum: number): string[] {
  const last = Math.max(1, values.length - 1);
  const paths: string[] = [];
  let isOpen = false;
  values.forEach((value, index) => {
    if (value !== null) {
      const x = rounded((100 * index) / last);
      const y = rounded(100 - (100 * Math.min(value, maximum)) / (maximum || 1));
      if (isOpen) paths.push(`${paths.pop()}L${x} ${y}`);
      // A single point has a line of no length, which is drawn as a dot.
      else paths.push(`M${x} ${y}L${x} ${y}`);
    }
    isOpen = value !== null;
  });
  return paths;
}

function rounded(number: number): number {
  return Math.round(number * 100) / 100;
}
