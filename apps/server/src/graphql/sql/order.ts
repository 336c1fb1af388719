import { sql } from 'kysely';
import { GraphqlProblem } from '../graphql-problem.ts';
import type { Table } from '../tables/table.ts';
import { relationshipOf, TABLES } from '../tables/tables.ts';
import { columnOf, isJoined } from './joined.ts';
import { type Sql, visibleRows } from './scope.ts';
import type { Statement } from './statement.ts';

type OrderBy = { [key: string]: unknown };
type Target = { table: Table; alias: string };

/** A term of the order; `column` when it is one of the table itself. */
export type OrderTerm = { column: string | undefined; sql: Sql };

/** In the order the user named them. */
export function orderTerms(
  orderBy: OrderBy[],
  target: Target,
  statement: Pick<Statement, 'scope' | 'alias'>,
): OrderTerm[] {
  return orderBy.flatMap((each) => termsOf(each, target, (inner) => inner, true));

  function termsOf(
    order: OrderBy,
    { table, alias }: Target,
    wrap: (inner: Sql) => Sql,
    isOwn: boolean,
  ): OrderTerm[] {
    return Object.entries(order).flatMap(([key, direction]) => {
      if (direction === null) throw unexpectedNull();
      if (!Object.hasOwn(table.relationships, key)) {
        const term = sql`${wrap(columnOf(alias, key))} ${directionSql(direction as string)}`;
        return [{ column: isOwn ? key : undefined, sql: term }];
      }
      const relationship = relationshipOf(table, key);
      const theirs = { table: TABLES[relationship.to], alias: statement.alias(relationship.to) };
      const rows = sql`${visibleRows(theirs.table, statement.scope)} as ${sql.id(theirs.alias)}`;
      const joined = isJoined(relationship, alias, theirs.alias);
      const inTheirs = (inner: Sql) => wrap(sql`(select ${inner} from ${rows} where ${joined})`);
      return termsOf(direction as OrderBy, theirs, inTheirs, false);
    });
  }
}

/** The word is one of the schema's, such as `desc_nulls_last`. */
function directionSql(direction: string): Sql {
  return sql.raw(direction.replace('_nulls_', ' nulls '));
}

function unexpectedNull(): GraphqlProblem {
  return new GraphqlProblem('validation-failed', 'unexpected null value');
}
