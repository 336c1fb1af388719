import { type Sql, sql } from './sql.ts';

/** GraphQL names contain no space, so no selected field can have this name. */
const ROW = sql.id('a row');

/** The rows of a `select` as a JSON array of objects. */
export function arrayJson(rows: Sql): Sql {
  return sql`(select coalesce(json_agg(${ROW}), '[]') from (${rows}) as ${ROW})`;
}

/** The only row of a `select` as a JSON object; null if there is none. */
export function objectJson(rows: Sql): Sql {
  return sql`(select row_to_json(${ROW}) from (${rows}) as ${ROW})`;
}
