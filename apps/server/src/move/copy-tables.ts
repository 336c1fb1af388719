import type pg from 'pg';

/** `columns`: without generated ones, in the order of the table. */
export type Table = { name: string; columns: string[] };

export type CopiedTables = { tables: number; rows: number };

/** Tables that stay empty in the target. */
const NOT_MOVED = new Set([
  // Belong to running servers.
  'deploy.leader',
  'deploy.rate_limits',
  // Encrypted with a master key, which is another one in the target.
  'deploy.keys',
]);

const BATCH_BYTES = 4 * 1024 ** 2;
const MAX_BATCH_ROWS = 5_000;
const FIRST_BATCH_ROWS = 100;

/** Tables, views and sequences that somebody created. */
const RELATIONS = `
  from pg_class relation join pg_namespace schema on schema.oid = relation.relnamespace
  where schema.nspname !~ '^pg_' and schema.nspname <> 'information_schema'
    and not exists (select from pg_depend where objid = relation.oid and deptype = 'e')`;

/** The text of values must not depend on the settings of a server. */
const EXACT_TEXT = `set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
  set local timezone = 'UTC'; set local extra_float_digits = 1; set local bytea_output = 'hex'`;

/** Whether nobody has created a table, view or sequence in this database. */
export async function isEmptyDatabase(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(`select exists (select ${RELATIONS}) as "isUsed"`);
  return rows[0]?.isUsed === false;
}

/** Both are in a transaction, that of the source with one snapshot. The target has the same tables. */
export type CopyDeps = { source: pg.ClientBase; target: pg.ClientBase; signal: AbortSignal };

/**
 * Replaces all rows of the target with those of the source, and continues its sequences. Rows travel as the text of
 * Postgres' own types, so every value arrives exactly. Triggers would change rows, or add others. Foreign keys would dictate an
 * order, so they are created again at the end, which checks all rows.
 */
export async function copyTables({ source, target, signal }: CopyDeps): Promise<CopiedTables> {
  for (const client of [source, target]) await client.query(EXACT_TEXT);
  const tables = await tablesOf(target);
  const foreignKeys = await foreignKeysOf(target);
  for (const { table, name } of foreignKeys) {
    await target.query(`alter table ${table} drop constraint ${name}`);
  }
  for (const { name } of tables) {
    await target.query(`alter table ${name} disable trigger user`);
    await target.query(`delete from ${name}`);
  }
  const copied = { tables: 0, rows: 0 };
  for (const table of tables) {
    if (NOT_MOVED.has(table.name)) continue;
    copied.tables += 1;
    copied.rows += await copyRows(table, { source, target, signal });
  }
  await copySequences({ source, target });
  for (const { table, name, definition } of foreignKeys) {
    await target.query(`alter table ${table} add constraint ${name} ${definition}`);
  }
  for (const { name } of tables) await target.query(`alter table ${name} enable trigger user`);
  return copied;
}

export async function tablesOf(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select format('%I.%I', schema.nspname, relation.relname) as name, (
      select coalesce(array_agg(quote_ident(attname) order by attnum), '{}') from pg_attribute
      where attrelid = relation.oid and attnum > 0 and not attisdropped and attgenerated = ''
    ) as columns
    ${RELATIONS} and relation.relkind = 'r' order by 1`);
  return rows;
}

type ForeignKey = { table: string; name: string; definition: string };

async function foreignKeysOf(client: pg.ClientBase): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(`
    select format('%I.%I', schema.nspname, relation.relname) as table, quote_ident(key.conname) as name,
      pg_get_constraintdef(key.oid) as definition
    from pg_constraint key join pg_class relation on relation.oid = key.conrelid
      join pg_namespace schema on schema.oid = relation.relnamespace
    where key.contype = 'f' order by 1, 2`);
  return rows;
}

async function copyRows(
  { name, columns }: Table,
  { source, target, signal }: CopyDeps,
): Promise<number> {
  await source.query(
    `declare moved_rows no scroll cursor for select moved_row::text as row from ${name} as moved_row`,
  );
  const insert = `
    insert into ${name} (${columns.join(', ')}) overriding system value
    select ${columns.map((column) => `(moved).${column}`).join(', ')}
    from (select line::${name} as moved from unnest($1::text[]) as line offset 0) as moved_rows`;
  let [copied, size] = [0, FIRST_BATCH_ROWS];
  for (;;) {
    signal.throwIfAborted();
    const batch = await source.query<{ row: string }>(`fetch ${size} from moved_rows`);
    if (batch.rows.length === 0) break;
    const lines = batch.rows.map(({ row }) => row);
    const { rowCount } = await target.query(insert, [lines]);
    if (rowCount !== lines.length) throw new Error(`Rows of ${name} did not arrive`);
    copied += lines.length;
    size = nextBatchRows(lines);
  }
  await source.query('close moved_rows');
  return copied;
}

/** So many of the same size that memory stays bounded, whether rows are large or small. */
export function nextBatchRows(lines: string[]): number {
  const bytes = lines.reduce((sum, line) => sum + line.length, 0);
  const rows = Math.floor((BATCH_BYTES * lines.length) / Math.max(bytes, 1));
  return Math.min(Math.max(rows, 1), MAX_BATCH_ROWS);
}

async function copySequences({ source, target }: Omit<CopyDeps, 'signal'>): Promise<void> {
  const { rows } = await target.query<{ name: string }>(
    `select format('%I.%I', schema.nspname, relation.relname) as name ${RELATIONS} and relation.relkind = 'S'`,
  );
  for (const { name } of rows) {
    const { rows: values } = await source.query(`select last_value, is_called from ${name}`);
    const { last_value: last, is_called: isCalled } = values[0];
    await target.query('select setval($1::regclass, $2::bigint, $3)', [name, last, isCalled]);
  }
}
