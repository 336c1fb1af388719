import { CompiledQuery } from 'kysely';
import type { Database } from '../db/database.ts';
import { GraphqlProblem } from './graphql-problem.ts';
import {
  boundParameters,
  type CompiledSql,
  compileSql,
  type LateValues,
  type Sql,
  sql,
} from './sql/sql.ts';

/** Postgres accepts at most 65,535. */
const MAX_PARAMETERS = 5_000;

/** Compiles a statement built from a query, unless it is too large. */
export function compileStatement(statement: Sql): CompiledSql {
  const compiled = compileSql(statement);
  if (compiled.parameters.length <= MAX_PARAMETERS) return compiled;
  throw new GraphqlProblem('validation-failed', 'the query has too many conditions');
}

export async function runStatement<Row>(
  compiled: CompiledSql,
  db: Database,
  values: LateValues,
): Promise<Row[]> {
  const query = CompiledQuery.raw(compiled.text, boundParameters(compiled, values));
  return (await db.executeQuery<Row>(query)).rows;
}

/** Reads the JSON texts of several expressions. */
export type JsonStatement = { compiled: CompiledSql; names: string[] };

/** One statement reads all of them from one snapshot. Postgres does not send a result that is too large. */
export function jsonStatement(expressions: Sql[]): JsonStatement {
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
    select ${sql.join(columns)} from (select *, ${bytes} <= ${sql.late('maxBytes')}::bigint as fits from result) as measured
  `;
  return { names, compiled: compileStatement(statement) };
}

export async function jsonTexts(
  { names, compiled }: JsonStatement,
  db: Database,
  values: LateValues,
): Promise<string[]> {
  if (names.length === 0) return [];
  const [row] = await runStatement<Record<string, string | null>>(compiled, db, values);
  return names.map((name) => {
    const text = row?.[name];
    if (typeof text === 'string') return text;
    throw resultTooLarge();
  });
}

export function resultTooLarge(): GraphqlProblem {
  return new GraphqlProblem('validation-failed', 'the result is too large, select fewer rows');
}
