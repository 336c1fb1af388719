import type { SelectedField } from '../selection.ts';
import { columnOf } from '../sql/join.ts';
import { objectJson } from '../sql/json-sql.ts';
import { rowJson, rowsJson } from '../sql/rows-json.ts';
import { type Sql, sql } from '../sql/sql.ts';
import type { Statement } from '../sql/statement.ts';
import { RESOURCES } from '../tables/tables.ts';
import type { MutationResult } from './run-mutation.ts';

const RESPONSE = 'resources_mutation_response';

/** The JSON of a mutation's result: the selected fields of the rows it wrote, read like any other rows. */
export function mutationResultJson(
  result: MutationResult,
  field: SelectedField,
  statement: Statement,
): Sql {
  switch (result.form) {
    case 'row': {
      const below = statement.selection.fieldsBelow(RESOURCES.name, field);
      return rowJson(rowsOf(result.id === undefined ? [] : [result.id]), below, statement);
    }
    case 'response':
      return responseJson(result.ids);
    case 'responses':
      return sql`array_to_json(array[${sql.join(result.idsOfEach.map(responseJson))}]::json[])`;
  }

  function responseJson(ids: string[]): Sql {
    const parts = statement.selection.fieldsBelow(RESPONSE, field).map((part) => {
      return sql`${partJson(part, ids)} as ${sql.id(part.key)}`;
    });
    return objectJson(sql`select ${sql.join(parts)}`);
  }

  function partJson(part: SelectedField, ids: string[]): Sql {
    if (part.name === '__typename') return sql`${RESPONSE}::text`;
    if (part.name === 'affected_rows') return sql`${ids.length}::integer`;
    const below = statement.selection.fieldsBelow(RESOURCES.name, part);
    return rowsJson(rowsOf(ids), below, statement);
  }

  function rowsOf(ids: string[]) {
    const alias = statement.alias(RESOURCES.name);
    const order = sql`array_position(${ids}::uuid[], ${columnOf(alias, 'id')})`;
    return { table: RESOURCES, alias, args: { where: { id: { _in: ids } } }, order };
  }
}
