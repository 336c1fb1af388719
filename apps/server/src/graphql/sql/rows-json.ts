import type { SelectedField } from '../selection.ts';
import type { Table } from '../tables/table.ts';
import { TABLES } from '../tables/tables.ts';
import { aggregateJson } from './aggregate-json.ts';
import { columnJson } from './column-json.ts';
import { joinCondition } from './join.ts';
import { arrayJson, objectJson } from './json-sql.ts';
import { MAX_ROWS, type RowQuery, selectRows } from './select-rows.ts';
import { type Sql, sql } from './sql.ts';
import type { Statement } from './statement.ts';

/** The rows as a JSON array in the shape of the query, so that the server does not transform them. */
export function rowsJson(rowQuery: RowQuery, fields: SelectedField[], statement: Statement): Sql {
  return arrayJson(rows(rowQuery, fields, statement));
}

/** One row as a JSON object, or null. */
export function rowJson(rowQuery: RowQuery, fields: SelectedField[], statement: Statement): Sql {
  return objectJson(rows({ ...rowQuery, maxRows: 1 }, fields, statement));
}

function rows(rowQuery: RowQuery, fields: SelectedField[], statement: Statement): Sql {
  const columns = rowColumns(rowQuery.table, rowQuery.alias, fields, statement);
  return selectRows({ maxRows: MAX_ROWS, ...rowQuery }, columns, statement);
}

/** The selected fields of one row, each under its key in the result. */
export function rowColumns(
  table: Table,
  alias: string,
  fields: SelectedField[],
  statement: Statement,
): Sql {
  return sql.join(
    fields.map(
      (field) => sql`${fieldJson(table, alias, field, statement)} as ${sql.id(field.key)}`,
    ),
  );
}

/** `…_aggregate`: aggregate functions of rows, and the rows. */
export function aggregateFieldJson(
  rowQuery: RowQuery,
  field: SelectedField,
  statement: Statement,
): Sql {
  return aggregateJson(rowQuery, field, {
    statement,
    nodeColumns: (alias, fields) => rowColumns(rowQuery.table, alias, fields, statement),
  });
}

function fieldJson(table: Table, alias: string, field: SelectedField, statement: Statement): Sql {
  if (field.name === '__typename') return sql`${table.name}::text`;
  const [name = '', aggregate] = field.name.split(/_(aggregate)$/);
  const relationship = table.relationships[name];
  if (relationship === undefined) return columnJson({ table, alias }, field, statement);
  const { to, many } = relationship;
  const related = { table: TABLES[to], alias: statement.alias(to), args: field.args };
  const rowQuery = { ...related, join: joinCondition(relationship, alias, related.alias) };
  if (aggregate !== undefined) return aggregateFieldJson(rowQuery, field, statement);
  const below = statement.selection.fieldsBelow(related.table.name, field);
  return many ? rowsJson(rowQuery, below, statement) : rowJson(rowQuery, below, statement);
}
