import { type CompiledQuery, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { GraphqlProblem } from './graphql-problem.ts';
import type { Sql } from './sql/scope.ts';

/** Postgres takes at most 65,535; a condition of this many parts is nobody's. */
const MAX_PARAMETERS = 5_000;

/** Runs a statement that was made from a query, if it is not too large. */
export async function runStatement<Row>(statement: Sql, db: Database): Promise<Row[]> {
  const query = statement.compile(db) as CompiledQuery<Row>;
  if (query.parameters.length > MAX_PARAMETERS) {
    throw new GraphqlProblem('validation-failed', 'the query has too many conditions');
  }
  return (await db.executeQuery(query)).rows;
}

/**
 * The JSON texts of several expressions in one statement, so that they speak of the same moment. An answer that
 * is too large stays in the database.
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
    sql` + `,
  );
  // Not as an array: reading one takes longer than all the rest.
  const kept = names.map(
    (name) => sql`case when is_kept then ${sql.id(name)} end as ${sql.id(name)}`,
  );
  const statement = sql`
    with answer as materialized (select ${sql.join(texts)})
    select ${sql.join(kept)} from (select *, ${bytes} <= ${maxBytes}::bigint as is_kept from answer) as measured
  `;
  const [row] = await runStatement<Record<string, string | null>>(statement, db);
  return names.map((name) => {
    const text = row?.[name];
    if (typeof text === 'string') return text;
    throw answerTooLarge();
  });
}

export function answerTooLarge(): GraphqlProblem {
  return new GraphqlProblem('validation-failed', 'the answer is too large, ask for fewer rows');
}
