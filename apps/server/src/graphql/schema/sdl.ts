import type { Table } from '../tables/table.ts';
import { typeOf } from '../tables/tables.ts';

/** A type with these lines, or nothing if there are none: GraphQL allows no empty types. */
export function block(head: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${head} {\n${lines.join('\n')}\n}`;
}

/** A line with the nullable type of each column. */
export function nullableColumns(table: Table, columns: readonly string[]): string[] {
  return columns.map((column) => `${column}: ${typeOf(table, column)}`);
}
