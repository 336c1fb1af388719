import type { Relationship } from '../tables/table.ts';
import { type Sql, sql } from './sql.ts';

/** A column of the table with this alias. */
export function columnOf(alias: string, column: string): Sql {
  return sql.ref(`${alias}.${column}`);
}

/** The condition that rows of two tables are related. */
export function joinCondition({ on }: Relationship, alias: string, theirAlias: string): Sql {
  const pairs = Object.entries(on).map(
    ([own, theirs]) => sql`${columnOf(theirAlias, theirs)} = ${columnOf(alias, own)}`,
  );
  return sql.join(pairs, ' and ');
}
