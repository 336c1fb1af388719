import type { SelectedField } from '../selection.ts';
import { EXTREMES } from '../tables/column-types.ts';
import type { ColumnType, Table } from '../tables/table.ts';
import { typeOf } from '../tables/tables.ts';
import { valueJson } from './column-json.ts';
import { columnOf } from './join.ts';
import { arrayJson, objectJson } from './json-sql.ts';
import { MAX_ROWS, type RowQuery, selectRows } from './select-rows.ts';
import { type Sql, sql } from './sql.ts';
import type { Statement } from './statement.ts';

type AggregateParts = {
  statement: Statement;
  nodeColumns: (alias: string, fields: SelectedField[]) => Sql;
};

/** Aggregate functions of the selected rows, and the rows themselves, from a single select. */
export function aggregateJson(
  rowQuery: RowQuery,
  field: SelectedField,
  { statement, nodeColumns }: AggregateParts,
): Sql {
  const { table, alias } = rowQuery;
  const selected = statement.alias(table.name);
  const all = sql`${sql.id(alias)}.*`;
  const parts = statement.selection
    .fieldsBelow(`${table.name}_aggregate`, field)
    .map((part) => sql`${partJson(part)} as ${sql.id(part.key)}`);
  return sql`(
    with ${sql.id(selected)} as (${selectRows(rowQuery, all, statement)})
    select ${objectJson(sql`select ${sql.join(parts)}`)}
  )`;

  function partJson(part: SelectedField): Sql {
    if (part.name === '__typename') return sql`${`${table.name}_aggregate`}::text`;
    if (part.name === 'nodes') return nodesJson(part);
    const functions = statement.selection.fieldsBelow(`${table.name}_aggregate_fields`, part);
    const columns = functions.map(
      (aggregate) => sql`${functionJson(aggregate)} as ${sql.id(aggregate.key)}`,
    );
    return summary(columns);
  }

  function nodesJson(part: SelectedField): Sql {
    const node = statement.alias(table.name);
    const fields = statement.selection.fieldsBelow(table.name, part);
    return arrayJson(sql`
      select ${nodeColumns(node, fields)} from ${sql.id(selected)} as ${sql.id(node)}
      limit ${MAX_ROWS}::bigint
    `);
  }

  function functionJson(aggregate: SelectedField): Sql {
    if (aggregate.name === '__typename') return sql`${`${table.name}_aggregate_fields`}::text`;
    if (aggregate.name === 'count') return countSql(aggregate, selected);
    const typeName = `${table.name}_${aggregate.name}_fields`;
    const columns = statement.selection
      .fieldsBelow(typeName, aggregate)
      .map(
        (each) =>
          sql`${aggregateSql(table, aggregate.name, each, typeName)} as ${sql.id(each.key)}`,
      );
    return summary(columns);
  }

  /** Exactly one row, even if it contains no aggregate function. */
  function summary(columns: Sql[]): Sql {
    return objectJson(sql`select ${sql.join(columns)} from ${sql.id(selected)} having true`);
  }
}

function countSql({ args }: SelectedField, selected: string): Sql {
  const columns = ((args.columns ?? []) as string[]).map((column) => columnOf(selected, column));
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

/** Postgres has no max(uuid), but the text of a uuid sorts the same way. */
function extremeSql(name: string, column: Sql, type: ColumnType): Sql {
  if (type === 'uuid') return sql`${sql.raw(name)}(${column}::text)`;
  return valueJson(sql`${sql.raw(name)}(${column})`, type);
}
