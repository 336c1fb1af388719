import { CompiledQuery } from 'kysely';
import type { Database } from '../db/database.ts';
import { GraphqlProblem } from './graphql-problem.ts';
import { compileSql, type Sql, sql } from './sql/sql.ts';

/** Postgres accepts at most 65,535. */
const MAX_PARAMETERS = 5_000;

/** Runs a statement built from a query, unless it is too large. */
export async function runStatement<Row>(statement: Sql, db: Database): Promise<Row[]> {
  const { text, parameters } = compileSql(statement);
  if (parameters.length > MAX_PARAMETERS) {
    throw new GraphqlProblem('validation-failed', 'the query has too many conditions');
  }
  return (await db.executeQuery<Row>(CompiledQuery.raw(text, parameters))).rows;
}

/**
 * The JSON texts of several expressions, read in one statement and therefore from one snapshot. Postgres does not send
 * a result that is too large.
 */
export async function jsonTexts(
  expressions: Sql[],
  db: Database,
  maxBytes: number,
): Promise<string[]> {
  if (expressions.length === 0) return [];
  const names = expressions.map((_, at) => `json${at}`);
  const texts = expressions.map(
    (expression, at) => sql`coalesce(${expression}::text, 'null') as ${sql.id(`json${at}`)}`,
  );
  const bytes = sql.join(
    names.map((name) => sql`octet_length(${sql.id(name)})`),
    ' + ',
  );
  // Separate columns: parsing an array takes longer than everything else.
  const columns = names.map(
    (name) => sql`case when fits then ${sql.id(name)} end as ${sql.id(name)}`,
  );
  const statement = sql`
    with result as materialized (select ${sql.join(texts)})
    select ${sql.join(columns)} from (select *, ${bytes} <= ${maxBytes}::bigint as fits from result) as measured
  `;
  const [row] = await runStatement<Record<string, string | null>>(statement, db);
  return names.map((name) => {
    const text = row?.[name];
    if (typeof text === 'string') return text;
    throw resultTooLarge();
  });
}

export function resultTooLarge(): GraphqlProblem {
  return new GraphqlProblem('validation-failed', 'the result is too large, select fewer rows');
}
