import { GraphqlProblem } from '../graphql-problem.ts';
import type { SelectedField } from '../selection.ts';
import type { ColumnType, Table } from '../tables/table.ts';
import { typeOf } from '../tables/tables.ts';
import { columnOf } from './join.ts';
import { type Sql, sql } from './sql.ts';

/** Hasura's format. All six digits, so that a stream cursor matches its row exactly. */
const TIME_FORMAT = sql.raw(`'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"'`);

/** A column as it appears in the result. */
export function columnJson(table: Table, alias: string, { name, args }: SelectedField): Sql {
  const column = columnOf(alias, name);
  const { path } = args;
  if (typeof path === 'string') return sql`${column} #> ${pathKeys(path)}::text[]`;
  return valueJson(column, typeOf(table, name));
}

export function valueJson(value: Sql, type: ColumnType): Sql {
  return type === 'timestamptz' ? sql`to_char(${value} at time zone 'UTC', ${TIME_FORMAT})` : value;
}

const STEP = /\.?([A-Za-z_][\w-]*)|\[(\d+)\]|\[(?:"([^"]*)"|'([^']*)')\]/y;

/** Hasura's paths: `$.env.PORT`, `ports[0].number`, `env["a.b"]`. */
export function pathKeys(path: string): string[] {
  const steps = path.replace(/^\$/, '');
  const keys: string[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < steps.length) {
    const found = STEP.exec(steps);
    if (found === null) {
      throw new GraphqlProblem(
        'validation-failed',
        `parse json path error: invalid path "${path}"`,
      );
    }
    keys.push(found[1] ?? found[2] ?? found[3] ?? found[4] ?? '');
  }
  return keys;
}
