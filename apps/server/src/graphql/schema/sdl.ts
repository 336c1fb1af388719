import type { Table } from '../tables/table.ts';
import { typeOf } from '../tables/tables.ts';

/** The lines of a type, or nothing when it would be empty: GraphQL has no empty types. */
export function block(head: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${head} {\n${lines.join('\n')}\n}`;
}

/** A line for each column, with the type it has when it may be left out. */
export function nullableColumns(table: Table, columns: readonly string[]): string[] {
  return columns.map((column) => `${column}: ${typeOf(table, column)}`);
}
