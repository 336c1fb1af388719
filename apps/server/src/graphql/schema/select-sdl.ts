import type { Role, Table } from '../tables/table.ts';
import { typeOf } from '../tables/tables.ts';
import { block } from './sdl.ts';

/** The arguments that choose rows of a table. */
function rowArguments({ name }: Table): string {
  return `(
    distinct_on: [${name}_select_column!], limit: Int, offset: Int,
    order_by: [${name}_order_by!], where: ${name}_bool_exp
  )`;
}

/** The root fields that read a table; live queries have the same. */
export function selectFields(table: Table): string[] {
  const { name, primaryKey } = table;
  const key = primaryKey.map((column) => `${column}: ${typeOf(table, column)}!`).join(', ');
  return [
    `${name}${rowArguments(table)}: [${name}!]!`,
    `${name}_aggregate${rowArguments(table)}: ${name}_aggregate!`,
    `${name}_by_pk(${key}): ${name}`,
  ];
}

/** A row, and what may be asked of rows: conditions, order, distinct columns. */
export function selectSdl(table: Table, role: Role, tableOf: (name: string) => Table): string {
  const { name, relationships } = table;
  const { select } = table.roles[role];
  const related = Object.entries(relationships);
  return [
    block(`type ${name}`, [
      ...select.map((column) => columnField(table, column)),
      ...related.flatMap(([field, { to, many }]) =>
        many
          ? [
              `${field}${rowArguments(tableOf(to))}: [${to}!]!`,
              `${field}_aggregate${rowArguments(tableOf(to))}: ${to}_aggregate!`,
            ]
          : [`${field}: ${to}!`],
      ),
    ]),
    block(`enum ${name}_select_column`, select),
    block(`input ${name}_order_by`, [
      ...select.map((column) => `${column}: order_by`),
      ...related
        .filter(([, { many }]) => !many)
        .map(([field, { to }]) => `${field}: ${to}_order_by`),
    ]),
    block(`input ${name}_bool_exp`, [
      `_and: [${name}_bool_exp!]`,
      `_or: [${name}_bool_exp!]`,
      `_not: ${name}_bool_exp`,
      ...select.map((column) => `${column}: ${typeOf(table, column)}_comparison_exp`),
      ...related.map(([field, { to }]) => `${field}: ${to}_bool_exp`),
    ]),
  ].join('\n');
}

function columnField(table: Table, column: string): string {
  const type = typeOf(table, column);
  const path = type === 'jsonb' ? '(path: String)' : '';
  return `${column}${path}: ${type}${table.columns[column]?.nullable ? '' : '!'}`;
}
