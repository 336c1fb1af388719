import { GraphqlProblem } from '../graphql-problem.ts';
import type { SelectedField } from '../selection.ts';
import type { Table } from '../tables/table.ts';
import { typeOf } from '../tables/tables.ts';
import { valueJson } from './column-json.ts';
import { columnOf } from './join.ts';
import { arrayJson } from './json-sql.ts';
import { operandSql } from './operand.ts';
import { rootField } from './root-field.ts';
import { rowColumns } from './rows-json.ts';
import { selectRows } from './select-rows.ts';
import { type Sql, sql } from './sql.ts';
import type { Statement } from './statement.ts';

/** The last row that was sent: its value in the cursor column, and its primary key for rows with equal values. */
export type StreamCursor = { value: string; key: string[] };

/** The column that a stream is ordered by, and where it starts. */
type StreamArguments = {
  table: Table;
  column: string;
  start: unknown;
  ordering: 'asc' | 'desc';
  batchSize: number;
};

/** A batch is held in memory as a whole; larger batches are split. */
const MAX_BATCH_ROWS = 100;

type Cursor = { initial_value: Record<string, unknown>; ordering?: 'ASC' | 'DESC' | null };

/** Selects the rows after the cursor: `rows` as JSON, and `next`, the new cursor, null if there are no rows. */
export function streamStatement(
  field: SelectedField,
  after: StreamCursor | undefined,
  statement: Statement,
): Sql {
  const args = streamArguments(field);
  const { table, ordering } = args;
  const [source, batch] = [statement.alias(table.name), statement.alias(table.name)];
  const rowQuery = {
    table,
    alias: source,
    args: { where: field.args.where ?? {} },
    join: after === undefined ? fromStart(args, source) : afterCursor(args, after, source),
    order: orderOf(args, source, ordering),
    maxRows: args.batchSize,
  };
  const below = statement.selection.fieldsBelow(table.name, field);
  const columns = rowColumns(table, batch, below, statement);
  const rows = arrayJson(
    sql`select ${columns} from ${sql.id(batch)} order by ${orderOf(args, batch, ordering)}`,
  );
  return sql`
    with ${sql.id(batch)} as materialized (${selectRows(rowQuery, sql`${sql.id(source)}.*`, statement)})
    select
      ${rows}::text as "rows",
      (select json_build_object('value', ${cursorValue(args, batch)}, 'key', ${keyOf(table, batch)})
        from ${sql.id(batch)}
        order by ${orderOf(args, batch, ordering === 'asc' ? 'desc' : 'asc')} limit 1) as "next"
  `;
}

/** Without an initial value, a stream starts with the first row. */
function fromStart({ table, column, start, ordering }: StreamArguments, alias: string): Sql {
  const cursorColumn = columnOf(alias, column);
  if (start === null) return sql`${cursorColumn} is not null`;
  const operand = operandSql(typeOf(table, column), 'value', start);
  return sql`${cursorColumn} ${sql.raw(ordering === 'asc' ? '>' : '<')} ${operand}`;
}

function afterCursor(
  { table, column, ordering }: StreamArguments,
  after: StreamCursor,
  alias: string,
): Sql {
  const names = [column, ...table.primaryKey];
  const values = [after.value, ...after.key];
  const own = names.map((name) => columnOf(alias, name));
  const last = names.map((name, at) => operandSql(typeOf(table, name), 'value', values[at]));
  const infix = sql.raw(ordering === 'asc' ? '>' : '<');
  return sql`(${sql.join(own)}) ${infix} (${sql.join(last)})`;
}

function orderOf({ table, column }: StreamArguments, alias: string, ordering: 'asc' | 'desc'): Sql {
  const names = [column, ...table.primaryKey];
  return sql.join(names.map((name) => sql`${columnOf(alias, name)} ${sql.raw(ordering)}`));
}

function cursorValue({ table, column }: StreamArguments, alias: string): Sql {
  return sql`${valueJson(columnOf(alias, column), typeOf(table, column))}::text`;
}

function keyOf({ primaryKey }: Table, alias: string): Sql {
  return sql`json_build_array(${sql.join(primaryKey.map((key) => sql`${columnOf(alias, key)}::text`))})`;
}

/** Like Hasura, supports a single cursor column. */
function streamArguments({ name, args }: SelectedField): StreamArguments {
  const { table } = rootField(name);
  const cursors = args.cursor as (Cursor | null)[];
  const entries = cursors.flatMap((cursor) => Object.entries(cursor?.initial_value ?? {}));
  const [first] = entries;
  if (first === undefined || entries.length !== 1) {
    throw invalid('a stream follows exactly one column');
  }
  const [column, start] = first;
  if (typeOf(table, column) === 'jsonb') throw invalid('a stream cannot follow a jsonb column');
  const batchSize = args.batch_size as number;
  if (batchSize < 1) throw invalid('batch_size must be at least 1');
  const ordering = cursors[0]?.ordering === 'DESC' ? 'desc' : 'asc';
  return { table, column, start, ordering, batchSize: Math.min(batchSize, MAX_BATCH_ROWS) };
}

function invalid(message: string): GraphqlProblem {
  return new GraphqlProblem('validation-failed', message);
}
