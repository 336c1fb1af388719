import type { ColumnType, Table } from './table.ts';

type TypeFacts = {
  /** Its name in the database. */
  sql: string;
  /** Whether Hasura has the least and the greatest of it. */
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

/** Of the named columns, those whose type is as asked for. */
export function columnsWith(
  table: Table,
  names: readonly string[],
  isWanted: (facts: TypeFacts, type: ColumnType) => boolean,
): string[] {
  return names.filter((name) => {
    const column = table.columns[name];
    return column !== undefined && isWanted(COLUMN_TYPES[column.type], column.type);
  });
}
