import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';

const MIGRATIONS = join(import.meta.dirname, 'migrations');

/** An arbitrary number that no other program of this database uses. */
const LOCK_KEY = 5_317_401;

/** Of one migration, which may have many rows to convert; the limits of the pool are for the queries of users. */
const MIGRATION_TIMEOUT_MS = 3_600_000;

const CREATE_MIGRATIONS =
  'create table if not exists public.longshore_migrations (name text primary key, ran_at timestamptz not null default now())';

/** Runs one step of the start and reports it by its title. */
export type Step = <T>(title: string, work: () => Promise<T>) => Promise<T>;

export const runSilently: Step = (_title, work) => work();

/**
 * Runs the missing migrations, each in a transaction, under a lock against other servers on this database. `finish` runs
 * under the same lock: what has to be done beside the SQL before anything else reads the database.
 */
export async function migrate(
  pool: pg.Pool,
  step = runSilently,
  finish: () => Promise<void> = async () => {},
): Promise<string[]> {
  const client = await pool.connect();
  try {
    await client.query(`set statement_timeout = ${MIGRATION_TIMEOUT_MS}`);
    await client.query({
      text: 'select pg_advisory_lock($1)',
      values: [LOCK_KEY],
      query_timeout: MIGRATION_TIMEOUT_MS,
    } as pg.QueryConfig);
    await client.query('reset statement_timeout');
    await client.query(CREATE_MIGRATIONS);
    const { rows } = await client.query<{ name: string }>(
      'select name from public.longshore_migrations',
    );
    const applied = new Set(rows.map((row) => row.name));
    const missing = (await migrationNames()).filter((name) => !applied.has(name));
    if (missing.length > 0) {
      await step('Migrate database', async () => {
        for (const name of missing) await runMigration(client, name);
      });
    }
    await finish();
    return missing;
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK_KEY]);
    client.release();
  }
}

/**
 * Creates everything in an empty database, in the transaction of the caller. Servers that start on it meanwhile wait for the
 * end of that transaction.
 */
export async function createSchema(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [LOCK_KEY]);
  await client.query(CREATE_MIGRATIONS);
  for (const name of await migrationNames()) await applyMigration(client, name);
}

async function migrationNames(): Promise<string[]> {
  return (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort();
}

async function runMigration(client: pg.ClientBase, name: string): Promise<void> {
  await client.query('begin');
  try {
    await applyMigration(client, name);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`Migration ${name} failed`, { cause: error });
  }
}

async function applyMigration(client: pg.ClientBase, name: string): Promise<void> {
  const sql = await readFile(join(MIGRATIONS, name), 'utf8');
  await client.query(`set local statement_timeout = ${MIGRATION_TIMEOUT_MS}`);
  // The types of `pg` lack the timeout of a single query.
  await client.query({ text: sql, query_timeout: MIGRATION_TIMEOUT_MS } as pg.QueryConfig);
  await client.query('insert into public.longshore_migrations (name) values ($1)', [name]);
}
