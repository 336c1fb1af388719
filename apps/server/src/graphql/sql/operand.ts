import { sql } from 'kysely';
import { COLUMN_TYPES } from '../tables/column-types.ts';
import type { Operand } from '../tables/operators.ts';
import type { ColumnType } from '../tables/table.ts';
import type { Sql } from './scope.ts';

/** What the user gave, always as a parameter. Postgres reads it as the type, or says what is wrong with it. */
export function operandSql(type: ColumnType, operand: Operand, value: unknown): Sql {
  const cast = COLUMN_TYPES[type].sql;
  switch (operand) {
    case 'value':
      return sql`${textOf(type, value)}::${sql.raw(cast)}`;
    case 'values':
      return sql`${(value as unknown[]).map((each) => textOf(type, each))}::${sql.raw(cast)}[]`;
    case 'text':
      return sql`${value}::text`;
    case 'texts':
      return sql`${value}::text[]`;
  }
}

/** Anything may come where a scalar is expected; text is what Postgres can refuse with a sentence. */
function textOf(type: ColumnType, value: unknown): string {
  return type !== 'jsonb' && typeof value === 'string' ? value : JSON.stringify(value);
}
