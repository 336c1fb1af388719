import { sql } from 'kysely';
import { GraphqlProblem } from '../graphql-problem.ts';
import type { Table } from '../tables/table.ts';
import { columnOf } from './joined.ts';
import { orderTerms } from './order.ts';
import { type Sql, visibleRows } from './scope.ts';
import type { Statement } from './statement.ts';
import { conditionOf } from './where.ts';

/** Which rows: Hasura's arguments, and what the place in the query adds. */
export type Choice = {
  table: Table;
  alias: string;
  args: Record<string, unknown>;
  /** That they belong to the row they are asked for below. */
  joined?: Sql;
  maxRows?: number;
  /** In place of an order that the user asks for. */
  rank?: Sql;
};

/** `select <columns> from …` with everything that chooses, orders and limits the rows. */
export function chosenRows(choice: Choice, columns: Sql, statement: Statement): Sql {
  const { table, alias, args, joined, maxRows } = choice;
  const conditions = [
    ...(joined === undefined ? [] : [joined]),
    ...(args.where === undefined ? [] : [conditionOf(args.where, choice, statement)]),
  ];
  const { distinct, order } = distinctAndOrder(choice, statement);
  const limit = leastOf(rowCount(args.limit, 'limit'), maxRows);
  const offset = rowCount(args.offset, 'offset');
  return sql.join(
    [
      sql`select`,
      ...(distinct.length === 0 ? [] : [sql`distinct on (${sql.join(distinct)})`]),
      sql`${columns} from ${visibleRows(table, statement.scope)} as ${sql.id(alias)}`,
      ...(conditions.length === 0 ? [] : [sql`where ${sql.join(conditions, sql` and `)}`]),
      ...(order.length === 0 ? [] : [sql`order by ${sql.join(order)}`]),
      ...(limit === undefined ? [] : [sql`limit ${limit}::bigint`]),
      ...(offset === undefined ? [] : [sql`offset ${offset}::bigint`]),
    ],
    sql` `,
  );
}

/** Postgres wants the distinct columns first in the order. */
function distinctAndOrder(choice: Choice, statement: Statement): { distinct: Sql[]; order: Sql[] } {
  const { args, alias, rank } = choice;
  if (rank !== undefined) return { distinct: [], order: [rank] };
  const names = [...new Set((args.distinct_on ?? []) as string[])];
  const terms = orderTerms((args.order_by ?? []) as Record<string, unknown>[], choice, statement);
  const distinct = names.map((name) => columnOf(alias, name));
  if (terms.length === 0) return { distinct, order: distinct };
  const leading = new Set(terms.slice(0, names.length).map(({ column }) => column));
  if (!names.every((name) => leading.has(name))) {
    throw new GraphqlProblem(
      'validation-failed',
      '"distinct_on" columns must match initial "order_by" columns',
    );
  }
  return { distinct, order: terms.map((term) => term.sql) };
}

function rowCount(count: unknown, argument: string): number | undefined {
  if (count === undefined || count === null) return undefined;
  if ((count as number) >= 0) return count as number;
  throw new GraphqlProblem('validation-failed', `unexpected negative value for ${argument}`);
}

function leastOf(first: number | undefined, second: number | undefined): number | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return Math.min(first, second);
}
