import { GraphqlProblem } from '../graphql-problem.ts';
import type { SelectedField } from '../selection.ts';
import type { Column, ColumnType, Table } from '../tables/table.ts';
import { typeOf } from '../tables/tables.ts';
import { columnOf } from './join.ts';
import { type Sql, sql } from './sql.ts';
import type { Statement } from './statement.ts';

/** Hasura's format. All six digits, so that a stream cursor matches its row exactly. */
const TIME_FORMAT = sql.raw(`'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"'`);

/** A column as it appears in the result. */
export function columnJson(
  { table, alias }: { table: Table; alias: string },
  { name, args }: SelectedField,
  { mark }: Pick<Statement, 'mark'>,
): Sql {
  const column = visiblePart(columnOf(alias, name), table.columns[name]?.hiddenPath);
  const path = typeof args.path === 'string' ? pathKeys(args.path) : undefined;
  const key = table.columns[name]?.sealedKey;
  const [first = key, ...rest] = path ?? [];
  if (key !== undefined && first === key) {
    const marked = (hashes: Sql, form: Form) =>
      sql`jsonb_build_object(${mark()}::text || ${columnOf(alias, 'id')} || ${sql.raw(`'${form}'`)}, ${hashes})`;
    const isWhole = path === undefined || path.length === 0;
    return isWhole ? wholeColumn(column, key, marked) : sealedPart(column, { key, rest, marked });
  }
  if (path !== undefined) return sql`${column} #> ${path}::text[]`;
  return valueJson(column, typeOf(table, name));
}

/** Few rows have something to hide, and copying a value takes longer than reading a key. */
function visiblePart(column: Sql, hiddenPath: Column['hiddenPath']): Sql {
  if (hiddenPath === undefined) return column;
  const [first] = hiddenPath;
  const path = sql.raw(`'{${hiddenPath.join()}}'`);
  return sql`case when jsonb_typeof(${column} -> ${sql.raw(`'${first}'`)}) = 'object'
    then ${column} #- ${path} else ${column} end`;
}

/**
 * Hashes of encrypted values are wrapped into an object whose only key is the mark, the id of the row and the form: all
 * values by their names, or one value alone. The server puts the values in after it has read the result.
 */
type Form = 'all' | 'one';
type Marked = (hashes: Sql, form: Form) => Sql;

function wholeColumn(column: Sql, key: string, marked: Marked): Sql {
  const name = sql.raw(`'${key}'`);
  const hashes = sql`${column} -> ${name}`;
  return sql`case when jsonb_typeof(${hashes}) = 'object'
    then jsonb_set(${column}, array[${name}], ${marked(hashes, 'all')}) else ${column} end`;
}

/** The values below a key, or one of them. A value is a text, which has no parts. */
function sealedPart(
  column: Sql,
  { key, rest, marked }: { key: string; rest: string[]; marked: Marked },
): Sql {
  const hashes = sql`${column} -> ${sql.raw(`'${key}'`)}`;
  const [name, ...below] = rest;
  if (name === undefined) {
    return sql`case when jsonb_typeof(${hashes}) = 'object' then ${marked(hashes, 'all')} else ${hashes} end`;
  }
  if (below.length > 0) return sql`null::jsonb`;
  const hash = sql`jsonb_build_object(${name}::text, ${hashes} -> ${name}::text)`;
  return sql`case when ${hashes} ? ${name}::text then ${marked(hash, 'one')} end`;
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
