import type { Role, Table } from '../tables/table.ts';
import { block, nullableColumns } from './sdl.ts';

export function streamField({ name }: Table): string {
  const cursor = `cursor: [${name}_stream_cursor_input]!`;
  return `${name}_stream(batch_size: Int!, ${cursor}, where: ${name}_bool_exp): [${name}!]!`;
}

export function streamSdl(table: Table, role: Role): string {
  const { name } = table;
  return [
    block(`input ${name}_stream_cursor_input`, [
      `initial_value: ${name}_stream_cursor_value_input!`,
      'ordering: cursor_ordering',
    ]),
    block(
      `input ${name}_stream_cursor_value_input`,
      nullableColumns(table, table.roles[role].select),
    ),
  ].join('\n');
}
