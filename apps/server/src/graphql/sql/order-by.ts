import { GraphqlProblem } from '../graphql-problem.ts';
import type { Table } from '../tables/table.ts';
import { relationshipOf, TABLES } from '../tables/tables.ts';
import { columnOf, joinCondition } from './join.ts';
import { visibleRows } from './scope.ts';
import { type Sql, sql } from './sql.ts';
import type { Statement } from './statement.ts';
import { sealedProblem } from './where.ts';

type OrderBy = { [key: string]: unknown };
type Target = { table: Table; alias: string };

/** A term of `order by`; `column` is set for a column of the table itself. */
export type OrderTerm = { column: string | undefined; sql: Sql };

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
        const sealedKey = table.columns[key]?.sealedKey;
        if (sealedKey !== undefined) throw sealedProblem(key, sealedKey);
        const term = sql`${wrap(columnOf(alias, key))} ${directionSql(direction as string)}`;
        return [{ column: isOwn ? key : undefined, sql: term }];
      }
      const relationship = relationshipOf(table, key);
      const related = { table: TABLES[relationship.to], alias: statement.alias(relationship.to) };
      const rows = sql`${visibleRows(related.table, statement.scope)} as ${sql.id(related.alias)}`;
      const join = joinCondition(relationship, alias, related.alias);
      const inRelated = (inner: Sql) => wrap(sql`(select ${inner} from ${rows} where ${join})`);
      return termsOf(direction as OrderBy, related, inRelated, false);
    });
  }
}

/** The direction is a value of the schema's enum, such as `desc_nulls_last`. */
function directionSql(direction: string): Sql {
  return sql.raw(direction.replace('_nulls_', ' nulls '));
}

function unexpectedNull(): GraphqlProblem {
  return new GraphqlProblem('validation-failed', 'unexpected null value');
}
