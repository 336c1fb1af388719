import type { ColumnType, Table } from './table.ts';

type TypeFacts = {
  /** Its name in Postgres. */
  sql: string;
  /** Whether Hasura offers max and min of it. */
  hasExtremes: boolean;
  isNumeric: boolean;
};

export const COLUMN_TYPES: Record<ColumnType, TypeFacts> = {
  uuid: { sql: 'uuid', hasExtremes: true, isNumeric: false },
  String: { sql: 'text', hasExtremes: true, isNumeric: false },
  jsonb: { sql: 'jsonb', hasExtremes: false, isNumeric: false },
  timestamptz: { sql: 'timestamptz', hasExtremes: true, isNumeric: false },
  Boolean: { sql: 'boolean', hasExtremes: false, isNumeric: false },
  bigint: { sql: 'bigint', hasExtremes: true, isNumeric: true },
  Int: { sql: 'integer', hasExtremes: true, isNumeric: true },
};

/** The named columns whose type matches. */
export function columnsWith(
  table: Table,
  names: readonly string[],
  isMatch: (facts: TypeFacts, type: ColumnType) => boolean,
): string[] {
  return names.filter((name) => {
    const column = table.columns[name];
    return column !== undefined && isMatch(COLUMN_TYPES[column.type], column.type);
  });
}

/** The aggregate functions of numbers, with their result type. */
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
