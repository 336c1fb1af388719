import { type Measurement, ratioOf, type Unit, verdictOf } from './measurement.ts';

const HEADINGS = ['measured', 'value', 'floor', 'ratio', 'budget', '', 'the floor is'];
/** Wide enough for every benchmark, so that tables printed one after another read as one. */
const WIDTHS = [50, 11, 11, 8, 11, 7, 0];
const LEFT = new Set([0, 5, 6]);

export function table(measurements: readonly Measurement[]): string {
  return [HEADINGS, ...measurements.map(cells)].map(line).join('\n');
}

function cells(measurement: Measurement): string[] {
  const { name, unit, value, floor } = measurement;
  const ratio = ratioOf(measurement);
  return [
    name,
    quantity(value, unit),
    floor === undefined ? '' : quantity(floor.value, unit),
    ratio === undefined ? '' : times(ratio),
    wished(measurement),
    verdictOf(measurement) ?? '',
    floor?.name ?? '',
  ];
}

function wished({ unit, budget, leastShare }: Measurement): string {
  if (leastShare !== undefined) return `≥ ${times(leastShare)}`;
  return budget === undefined ? '' : quantity(budget, unit);
}

/** A share of the floor is told finer than a multiple of it. */
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
