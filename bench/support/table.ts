import { type Measurement, ratioOf, type Unit, verdictOf } from './measurement.ts';

const HEADINGS = ['measured', 'value', 'baseline', 'ratio', 'budget', '', 'baseline is'];
/** Wide enough for every benchmark, so that consecutive tables align. */
const WIDTHS = [50, 11, 11, 8, 11, 7, 0];
const LEFT = new Set([0, 5, 6]);

export function table(measurements: readonly Measurement[]): string {
  return [HEADINGS, ...measurements.map(cells)].map(line).join('\n');
}

function cells(measurement: Measurement): string[] {
  const { name, unit, value, baseline } = measurement;
  const ratio = ratioOf(measurement);
  return [
    name,
    quantity(value, unit),
    baseline === undefined ? '' : quantity(baseline.value, unit),
    ratio === undefined ? '' : times(ratio),
    limitText(measurement),
    verdictOf(measurement) ?? '',
    baseline?.name ?? '',
  ];
}

function limitText({ unit, budget, minRatio }: Measurement): string {
  if (minRatio !== undefined) return `≥ ${times(minRatio)}`;
  return budget === undefined ? '' : quantity(budget, unit);
}

/** Ratios below 2 get one more digit. */
function times(ratio: number): string {
  return `×${ratio.toFixed(ratio < 2 ? 2 : 1)}`;
}

function quantity(value: number, unit: Unit): string {
  const digits = Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0;
  return `${value.toFixed(digits)} ${unit}`;
}

function line(texts: readonly string[]): string {
  return texts
    .map((text, column) => {
      const width = WIDTHS[column] ?? 0;
      return LEFT.has(column) ? text.padEnd(width) : text.padStart(width);
    })
    .join('  ')
    .trimEnd();
}
