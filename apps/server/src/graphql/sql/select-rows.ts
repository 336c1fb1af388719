import { GraphqlProblem } from '../graphql-problem.ts';
import type { Table } from '../tables/table.ts';
import { columnOf } from './join.ts';
import { orderTerms } from './order-by.ts';
import { visibleRows } from './scope.ts';
import { type Sql, sql } from './sql.ts';
import type { Statement } from './statement.ts';
import { conditionOf, sealedProblem } from './where.ts';

/** More rows than any client shows. The size of the result is limited too. */
export const MAX_ROWS = 10_000;

/** Which rows of a table to select. */
export type RowQuery = {
  table: Table;
  alias: string;
  /** Hasura's arguments: where, order_by, limit … */
  args: Record<string, unknown>;
  /** Limits the rows to those related to a row of another table. */
  join?: Sql;
  maxRows?: number;
  /** Replaces `order_by` of the arguments. */
  order?: Sql;
};

/** `select <columns> from …` with the conditions, order and limits of the query. */
export function selectRows(rowQuery: RowQuery, columns: Sql, statement: Statement): Sql {
  const { table, alias, args, join, maxRows } = rowQuery;
  const conditions = [
    ...(join === undefined ? [] : [join]),
    ...(args.where === undefined ? [] : [conditionOf(args.where, rowQuery, statement)]),
  ];
  const { distinct, order } = distinctAndOrder(rowQuery, statement);
  const limit = minOf(rowCount(args.limit, 'limit'), maxRows);
  const offset = rowCount(args.offset, 'offset');
  return sql.join(
    [
      sql`select`,
      ...(distinct.length === 0 ? [] : [sql`distinct on (${sql.join(distinct)})`]),
      sql`${columns} from ${visibleRows(table, statement.scope)} as ${sql.id(alias)}`,
      ...(conditions.length === 0 ? [] : [sql`where ${sql.join(conditions, ' and ')}`]),
      ...(order.length === 0 ? [] : [sql`order by ${sql.join(order)}`]),
      ...(limit === undefined ? [] : [sql`limit ${limit}::bigint`]),
      ...(offset === undefined ? [] : [sql`offset ${offset}::bigint`]),
    ],
    ' ',
  );
}

/** Postgres requires the distinct columns to come first in the order. */
function distinctAndOrder(
  rowQuery: RowQuery,
  statement: Statement,
): { distinct: Sql[]; order: Sql[] } {
  const { args, alias, order } = rowQuery;
  if (order !== undefined) return { distinct: [], order: [order] };
  const names = [...new Set((args.distinct_on ?? []) as string[])];
  const terms = orderTerms((args.order_by ?? []) as Record<string, unknown>[], rowQuery, statement);
  const distinct = names.map((name) => {
    const sealedKey = rowQuery.table.columns[name]?.sealedKey;
    if (sealedKey !== undefined) throw sealedProblem(name, sealedKey);
    return columnOf(alias, name);
  });
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

function minOf(first: number | undefined, second: number | undefined): number | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return Math.min(first, second);
}
