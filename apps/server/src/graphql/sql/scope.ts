import { type RawBuilder, sql } from 'kysely';
import type { GraphqlCaller } from '../resolve-caller.ts';
import type { Table } from '../tables/table.ts';
import { relationshipOf, TABLES } from '../tables/tables.ts';

export type Sql = RawBuilder<unknown>;

/** Whose rows, and which columns of them. */
export type Scope = Exclude<GraphqlCaller, { role: 'public' }>;

/**
 * The rows of a table that a caller sees, to select from. Every statement made for GraphQL names its tables
 * through this, so that none can forget the scope: not a relationship, a condition, an order nor a mutation.
 */
export function visibleRows(table: Table, scope: Scope): Sql {
  const columns = table.roles[scope.role].select.map((column) => sql.ref(column));
  const rows = sql`select ${sql.join(columns)} from ${sql.table(table.source)}`;
  return scope.role === 'admin'
    ? sql`(${rows})`
    : sql`(${rows} where ${isOwn(table, scope.userId)})`;
}

function isOwn(table: Table, userId: string): Sql {
  const { owner } = table;
  if ('column' in owner) return sql`${sql.ref(owner.column)} = ${userId}::uuid`;
  const { to, on } = relationshipOf(table, owner.through);
  const owning = TABLES[to];
  const [own, theirs] = Object.entries(on)[0] as [string, string];
  return sql`${sql.ref(own)} in (
    select ${sql.ref(theirs)} from ${sql.table(owning.source)} where ${isOwn(owning, userId)}
  )`;
}
