import { sql } from 'kysely';
import type { SelectedField } from '../selection.ts';
import { EXTREMES } from '../tables/aggregates.ts';
import type { ColumnType, Table } from '../tables/table.ts';
import { typeOf } from '../tables/tables.ts';
import { MAX_ROWS } from './bounds.ts';
import { type Choice, chosenRows } from './chosen-rows.ts';
import { valueJson } from './column-json.ts';
import { columnOf } from './joined.ts';
import { arrayJson, objectJson } from './row-json.ts';
import type { Sql } from './scope.ts';
import type { Statement } from './statement.ts';

type AggregateParts = {
  statement: Statement;
  nodeColumns: (alias: string, fields: SelectedField[]) => Sql;
};

/** Numbers about the chosen rows, and the rows themselves: they are chosen once. */
export function aggregateJson(
  choice: Choice,
  field: SelectedField,
  { statement, nodeColumns }: AggregateParts,
): Sql {
  const { table, alias } = choice;
  const chosen = statement.alias(table.name);
  const all = sql`${sql.id(alias)}.*`;
  const parts = statement.selection
    .fieldsBelow(`${table.name}_aggregate`, field)
    .map((part) => sql`${partJson(part)} as ${sql.id(part.key)}`);
  return sql`(
    with ${sql.id(chosen)} as (${chosenRows(choice, all, statement)})
    select ${objectJson(sql`select ${sql.join(parts)}`)}
  )`;

  function partJson(part: SelectedField): Sql {
    if (part.name === '__typename') return sql`${`${table.name}_aggregate`}::text`;
    if (part.name === 'nodes') return nodesJson(part);
    const numbers = statement.selection.fieldsBelow(`${table.name}_aggregate_fields`, part);
    const columns = numbers.map((number) => sql`${numberJson(number)} as ${sql.id(number.key)}`);
    return summary(columns);
  }

  function nodesJson(part: SelectedField): Sql {
    const node = statement.alias(table.name);
    const fields = statement.selection.fieldsBelow(table.name, part);
    return arrayJson(sql`
      select ${nodeColumns(node, fields)} from ${sql.id(chosen)} as ${sql.id(node)}
      limit ${MAX_ROWS}::bigint
    `);
  }

  function numberJson(number: SelectedField): Sql {
    if (number.name === '__typename') return sql`${`${table.name}_aggregate_fields`}::text`;
    if (number.name === 'count') return countSql(number, chosen);
    const typeName = `${table.name}_${number.name}_fields`;
    const columns = statement.selection
      .fieldsBelow(typeName, number)
      .map(
        (each) => sql`${aggregateSql(table, number.name, each, typeName)} as ${sql.id(each.key)}`,
      );
    return summary(columns);
  }

  /** One row about all of them, even when nothing in it is a number. */
  function summary(columns: Sql[]): Sql {
    return objectJson(sql`select ${sql.join(columns)} from ${sql.id(chosen)} having true`);
  }
}

function countSql({ args }: SelectedField, chosen: string): Sql {
  const columns = ((args.columns ?? []) as string[]).map((column) => columnOf(chosen, column));
  if (columns.length === 0) return sql`count(*)`;
  const counted = columns.length === 1 ? sql.join(columns) : sql`(${sql.join(columns)})`;
  return args.distinct === true ? sql`count(distinct ${counted})` : sql`count(${counted})`;
}

function aggregateSql(table: Table, name: string, field: SelectedField, typeName: string): Sql {
  if (field.name === '__typename') return sql`${typeName}::text`;
  const column = sql.ref(field.name);
  const type = typeOf(table, field.name);
  if (EXTREMES.includes(name)) return extremeSql(name, column, type);
  return sql`${sql.raw(name)}(${column})`;
}

/** Postgres knows no greatest uuid, but its text orders the same way. */
function extremeSql(name: string, column: Sql, type: ColumnType): Sql {
  if (type === 'uuid') return sql`${sql.raw(name)}(${column}::text)`;
  return valueJson(sql`${sql.raw(name)}(${column})`, type);
}
