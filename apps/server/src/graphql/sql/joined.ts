import { sql } from 'kysely';
import type { Relationship } from '../tables/table.ts';
import type { Sql } from './scope.ts';

/** A column of the table that goes by this name in a statement. */
export function columnOf(alias: string, column: string): Sql {
  return sql.ref(`${alias}.${column}`);
}

/** That a row of the one belongs to a row of the other. */
export function isJoined({ on }: Relationship, alias: string, theirAlias: string): Sql {
  const pairs = Object.entries(on).map(
    ([own, theirs]) => sql`${columnOf(theirAlias, theirs)} = ${columnOf(alias, own)}`,
  );
  return sql.join(pairs, sql` and `);
}
