import { sql } from 'kysely';
import type { SelectedField } from '../selection.ts';
import type { Table } from '../tables/table.ts';
import { typeOf } from '../tables/tables.ts';
import { chosenRows } from './chosen-rows.ts';
import { valueJson } from './column-json.ts';
import { columnOf } from './joined.ts';
import { operandSql } from './operand.ts';
import { arrayJson } from './row-json.ts';
import { rowColumns } from './rows-json.ts';
import type { Sql } from './scope.ts';
import type { Statement } from './statement.ts';
import { type Followed, followedColumn } from './stream-arguments.ts';

/** The last row that was sent: the column that is followed, and the key, for rows that are equal in it. */
export type StreamCursor = { value: string; key: string[] };

/** A statement for the next rows behind the cursor: `rows` as JSON, and `next`, null when there are none. */
export function streamStatement(
  field: SelectedField,
  after: StreamCursor | undefined,
  statement: Statement,
): Sql {
  const followed = followedColumn(field);
  const { table, ordering } = followed;
  const [source, batch] = [statement.alias(table.name), statement.alias(table.name)];
  const choice = {
    table,
    alias: source,
    args: { where: field.args.where ?? {} },
    joined: after === undefined ? fromStart(followed, source) : behind(followed, after, source),
    rank: orderOf(followed, source, ordering),
    maxRows: followed.batchSize,
  };
  const below = statement.selection.fieldsBelow(table.name, field);
  const columns = rowColumns(table, batch, below, statement);
  const rows = arrayJson(
    sql`select ${columns} from ${sql.id(batch)} order by ${orderOf(followed, batch, ordering)}`,
  );
  return sql`
    with ${sql.id(batch)} as materialized (${chosenRows(choice, sql`${sql.id(source)}.*`, statement)})
    select
      ${rows}::text as "rows",
      (select json_build_object('value', ${lastValue(followed, batch)}, 'key', ${keyOf(table, batch)})
        from ${sql.id(batch)}
        order by ${orderOf(followed, batch, ordering === 'asc' ? 'desc' : 'asc')} limit 1) as "next"
  `;
}

/** Without a first value, a stream starts with the first row. */
function fromStart({ table, column, start, ordering }: Followed, alias: string): Sql {
  const followed = columnOf(alias, column);
  if (start === null) return sql`${followed} is not null`;
  const operand = operandSql(typeOf(table, column), 'value', start);
  return sql`${followed} ${sql.raw(ordering === 'asc' ? '>' : '<')} ${operand}`;
}

function behind({ table, column, ordering }: Followed, after: StreamCursor, alias: string): Sql {
  const names = [column, ...table.primaryKey];
  const values = [after.value, ...after.key];
  const own = names.map((name) => columnOf(alias, name));
  const last = names.map((name, at) => operandSql(typeOf(table, name), 'value', values[at]));
  const infix = sql.raw(ordering === 'asc' ? '>' : '<');
  return sql`(${sql.join(own)}) ${infix} (${sql.join(last)})`;
}

function orderOf({ table, column }: Followed, alias: string, ordering: 'asc' | 'desc'): Sql {
  const names = [column, ...table.primaryKey];
  return sql.join(names.map((name) => sql`${columnOf(alias, name)} ${sql.raw(ordering)}`));
}

function lastValue({ table, column }: Followed, alias: string): Sql {
  return sql`${valueJson(columnOf(alias, column), typeOf(table, column))}::text`;
}

function keyOf({ primaryKey }: Table, alias: string): Sql {
  return sql`json_build_array(${sql.join(primaryKey.map((key) => sql`${columnOf(alias, key)}::text`))})`;
}
