import { sql } from 'kysely';
import type { Sql } from './scope.ts';

/** A name with a space is none of GraphQL's: a field that somebody calls `row` must not pass for the row itself. */
const ROW = sql.id('a row');

/** What a `select` finds, as a JSON array of objects. */
export function arrayJson(rows: Sql): Sql {
  return sql`(select coalesce(json_agg(${ROW}), '[]') from (${rows}) as ${ROW})`;
}

/** The only row that a `select` finds, as a JSON object; null when there is none. */
export function objectJson(rows: Sql): Sql {
  return sql`(select row_to_json(${ROW}) from (${rows}) as ${ROW})`;
}
