import { EXTREMES, NUMERIC_AGGREGATES } from '../tables/aggregates.ts';
import { columnsWith } from '../tables/column-types.ts';
import type { Role, Table } from '../tables/table.ts';
import { typeOf } from '../tables/tables.ts';
import { block, nullableColumns } from './sdl.ts';

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
    ...Object.entries(NUMERIC_AGGREGATES).map(([each, answerOf]) =>
      block(
        `type ${name}_${each}_fields`,
        numeric.map((column) => `${column}: ${answerOf(typeOf(table, column))}`),
      ),
    ),
  ].join('\n');
}
