import type { ColumnType } from './table.ts';

/** The aggregate functions of numbers, with the type of what they answer. */
export const NUMERIC_AGGREGATES: Record<string, (type: ColumnType) => string> = {
  avg: () => 'Float',
  stddev: () => 'Float',
  stddev_pop: () => 'Float',
  stddev_samp: () => 'Float',
  sum: (type) => type,
  var_pop: () => 'Float',
  var_samp: () => 'Float',
  variance: () => 'Float',
};

export const EXTREMES = ['max', 'min'];
