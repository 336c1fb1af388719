import type { GraphqlCaller } from '../resolve-caller.ts';
import type { Table } from '../tables/table.ts';
import { relationshipOf, TABLES } from '../tables/tables.ts';
import { type Sql, sql } from './sql.ts';

/** The caller whose rows and columns a statement may use. */
export type Scope = Exclude<GraphqlCaller, { role: 'public' }>;

/**
 * The rows of a table that a caller may see, to select from. Every GraphQL statement names its tables only through this
 * function, including relationships, conditions, orders and mutations, so that none can bypass the scope.
 */
export function visibleRows(table: Table, { role }: Pick<Scope, 'role'>): Sql {
  const columns = table.roles[role].select.map((column) => sql.ref(column));
  const rows = sql`select ${sql.join(columns)} from ${sql.ref(table.source)}`;
  return role === 'admin' ? sql`(${rows})` : sql`(${rows} where ${isOwn(table)})`;
}

function isOwn(table: Table): Sql {
  const { owner } = table;
  if ('column' in owner) return sql`${sql.ref(owner.column)} = ${sql.late('userId')}::uuid`;
  const { to, on } = relationshipOf(table, owner.through);
  const ownerTable = TABLES[to];
  const [column, relatedColumn] = Object.entries(on)[0] as [string, string];
  return sql`${sql.ref(column)} in (
    select ${sql.ref(relatedColumn)} from ${sql.ref(ownerTable.source)} where ${isOwn(ownerTable)}
  )`;
}
