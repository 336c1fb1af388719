import type { SelectedField } from '../selection.ts';
import type { Table } from '../tables/table.ts';
import { TABLES } from '../tables/tables.ts';
import { aggregateFieldJson, rowJson, rowsJson } from './rows-json.ts';
import type { Sql } from './sql.ts';
import type { Statement } from './statement.ts';

/** A root field of a query: `resources`, `resources_by_pk`, `resources_aggregate`, and the same for each table. */
export function rootFieldJson(field: SelectedField, statement: Statement): Sql {
  const { table, suffix } = rootField(field.name);
  const rowQuery = { table, alias: statement.alias(table.name), args: field.args };
  if (suffix === '_aggregate') return aggregateFieldJson(rowQuery, field, statement);
  const below = statement.selection.fieldsBelow(table.name, field);
  if (suffix !== '_by_pk') return rowsJson(rowQuery, below, statement);
  return rowJson({ ...rowQuery, args: { where: hasKey(field.args) } }, below, statement);
}

/** The table that a root field reads, and the suffix after its name. */
export function rootField(name: string): { table: Table; suffix: string } {
  const table = Object.values(TABLES).find(
    (each) => name === each.name || name.startsWith(`${each.name}_`),
  );
  if (table === undefined) throw new Error(`There is no root field ${name}`);
  return { table, suffix: name.slice(table.name.length) };
}

export function hasKey(key: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(key).map(([column, value]) => [column, { _eq: value }]));
}
