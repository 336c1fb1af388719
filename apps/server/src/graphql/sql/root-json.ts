import type { SelectedField } from '../selection.ts';
import type { Table } from '../tables/table.ts';
import { TABLES } from '../tables/tables.ts';
import { aggregatedJson, rowJson, rowsJson } from './rows-json.ts';
import type { Sql } from './scope.ts';
import type { Statement } from './statement.ts';

/** A root field that reads: `resources`, `resources_by_pk`, `resources_aggregate` and so for each table. */
export function rootJson(field: SelectedField, statement: Statement): Sql {
  const { table, form } = rootField(field.name);
  const choice = { table, alias: statement.alias(table.name), args: field.args };
  if (form === '_aggregate') return aggregatedJson(choice, field, statement);
  const below = statement.selection.fieldsBelow(table.name, field);
  if (form !== '_by_pk') return rowsJson(choice, below, statement);
  return rowJson({ ...choice, args: { where: hasKey(field.args) } }, below, statement);
}

/** Which table a root field reads, and how. */
export function rootField(name: string): { table: Table; form: string } {
  const table = Object.values(TABLES).find(
    (each) => name === each.name || name.startsWith(`${each.name}_`),
  );
  if (table === undefined) throw new Error(`There is no root field ${name}`);
  return { table, form: name.slice(table.name.length) };
}

export function hasKey(key: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(key).map(([column, value]) => [column, { _eq: value }]));
}
