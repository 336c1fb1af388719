import { columnsWith, EXTREMES, NUMERIC_AGGREGATES } from '../tables/column-types.ts';
import { type Operand, operatorsOf } from '../tables/operators.ts';
import type { ColumnType, Role, Table } from '../tables/table.ts';
import { typeOf } from '../tables/tables.ts';
import { block, nullableColumns } from './sdl.ts';

/** The arguments that select rows of a table. */
function rowArguments({ name }: Table): string {
  return `(
    distinct_on: [${name}_select_column!], limit: Int, offset: Int,
    order_by: [${name}_order_by!], where: ${name}_bool_exp
  )`;
}

/** The root fields of a table, the same for queries and subscriptions. */
export function selectFields(table: Table): string[] {
  const { name, primaryKey } = table;
  const key = primaryKey.map((column) => `${column}: ${typeOf(table, column)}!`).join(', ');
  return [
    `${name}${rowArguments(table)}: [${name}!]!`,
    `${name}_aggregate${rowArguments(table)}: ${name}_aggregate!`,
    `${name}_by_pk(${key}): ${name}`,
  ];
}

/** The types of a row and of its conditions, order and columns. */
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

export function aggregateSdl(table: Table, role: Role): string {
  const { name } = table;
  const { select } = table.roles[role];
  const comparable = columnsWith(table, select, ({ hasExtremes }) => hasExtremes);
  const numeric = columnsWith(table, select, ({ isNumeric }) => isNumeric);
  const functions = [...EXTREMES, ...(numeric.length === 0 ? [] : Object.keys(NUMERIC_AGGREGATES))];
  return [
    block(`type ${name}_aggregate`, [`aggregate: ${name}_aggregate_fields`, `nodes: [${name}!]!`]),
    block(`type ${name}_aggregate_fields`, [
      `count(columns: [${name}_select_column!], distinct: Boolean): Int!`,
      ...functions.map((each) => `${each}: ${name}_${each}_fields`),
    ]),
    ...EXTREMES.map((each) =>
      block(`type ${name}_${each}_fields`, nullableColumns(table, comparable)),
    ),
    ...Object.entries(NUMERIC_AGGREGATES).map(([each, resultTypeOf]) =>
      block(
        `type ${name}_${each}_fields`,
        numeric.map((column) => `${column}: ${resultTypeOf(typeOf(table, column))}`),
      ),
    ),
  ].join('\n');
}

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

const OPERAND_TYPES: Record<Operand, (type: ColumnType) => string> = {
  value: (type) => type,
  values: (type) => `[${type}!]`,
  text: () => 'String',
  texts: () => '[String!]',
};

/** The operators of each column type. */
export function comparisonSdl(types: readonly ColumnType[]): string {
  return [
    ...types.map(comparisonInput),
    types.includes('jsonb') ? 'input jsonb_cast_exp { String: String_comparison_exp }' : '',
  ].join('\n');
}

function comparisonInput(type: ColumnType): string {
  const operators = Object.entries(operatorsOf(type)).map(
    ([name, { operand }]) => `${name}: ${OPERAND_TYPES[operand](type)}`,
  );
  const cast = type === 'jsonb' ? ['_cast: jsonb_cast_exp'] : [];
  return block(`input ${type}_comparison_exp`, [...operators, '_is_null: Boolean', ...cast]);
}
