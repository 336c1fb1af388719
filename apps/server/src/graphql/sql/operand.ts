import { COLUMN_TYPES } from '../tables/column-types.ts';
import type { Operand } from '../tables/operators.ts';
import type { ColumnType } from '../tables/table.ts';
import { type Sql, sql } from './sql.ts';

/** A value of the request, always as a parameter. Postgres casts it to the type or reports what is wrong with it. */
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

/** A custom scalar accepts any JSON value; sent as text, Postgres refuses it with a message. */
function textOf(type: ColumnType, value: unknown): string {
  return type !== 'jsonb' && typeof value === 'string' ? value : JSON.stringify(value);
}
