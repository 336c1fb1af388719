import { sql } from 'kysely';
import type { SelectedField } from '../selection.ts';
import type { Table } from '../tables/table.ts';
import { TABLES } from '../tables/tables.ts';
import { aggregateJson } from './aggregate-json.ts';
import { MAX_ROWS } from './bounds.ts';
import { type Choice, chosenRows } from './chosen-rows.ts';
import { columnJson } from './column-json.ts';
import { isJoined } from './joined.ts';
import { arrayJson, objectJson } from './row-json.ts';
import type { Sql } from './scope.ts';
import type { Statement } from './statement.ts';

/** The rows as a JSON array in the shape of the query: nothing walks over them again. */
export function rowsJson(choice: Choice, fields: SelectedField[], statement: Statement): Sql {
  return arrayJson(rows(choice, fields, statement));
}

/** One row as a JSON object, or null. */
export function rowJson(choice: Choice, fields: SelectedField[], statement: Statement): Sql {
  return objectJson(rows({ ...choice, maxRows: 1 }, fields, statement));
}

function rows(choice: Choice, fields: SelectedField[], statement: Statement): Sql {
  const columns = rowColumns(choice.table, choice.alias, fields, statement);
  return chosenRows({ maxRows: MAX_ROWS, ...choice }, columns, statement);
}

/** What is asked for of one row, each under its key in the answer. */
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

/** Numbers about rows, and the rows they are about. */
export function aggregatedJson(choice: Choice, field: SelectedField, statement: Statement): Sql {
  return aggregateJson(choice, field, {
    statement,
    nodeColumns: (alias, fields) => rowColumns(choice.table, alias, fields, statement),
  });
}

function fieldJson(table: Table, alias: string, field: SelectedField, statement: Statement): Sql {
  if (field.name === '__typename') return sql`${table.name}::text`;
  const [name = '', aggregate] = field.name.split(/_(aggregate)$/);
  const relationship = table.relationships[name];
  if (relationship === undefined) return columnJson(table, alias, field);
  const { to, many } = relationship;
  const theirs = { table: TABLES[to], alias: statement.alias(to), args: field.args };
  const choice = { ...theirs, joined: isJoined(relationship, alias, theirs.alias) };
  if (aggregate !== undefined) return aggregatedJson(choice, field, statement);
  const below = statement.selection.fieldsBelow(theirs.table.name, field);
  return many ? rowsJson(choice, below, statement) : rowJson(choice, below, statement);
}
