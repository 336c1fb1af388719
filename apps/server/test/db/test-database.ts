import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export type TestDatabase = {
  connection: { host: string; user: string; database: string };
  drop(): Promise<void>;
};

type Migrate = (pool: pg.Pool) => Promise<unknown>;

const TEMPLATE = 'migrated';
const LOCK_KEY = 1;

/** A fresh, migrated database, copied from a template that is migrated once in a test run. */
export async function createTestDatabase(migrate: Migrate): Promise<TestDatabase> {
  const server = inject('postgres');
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  await asAdministrator(async (client) => {
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    await ensureTemplate(client, migrate);
    // The default strategy writes each page to the log: four times the processor time.
    await client.query(`create database ${database} template ${TEMPLATE} strategy file_copy`);
  });
  return {
    connection: { ...server, database },
    drop: () =>
      asAdministrator(async (client) => {
        await client.query(`drop database if exists ${database} with (force)`);
      }),
  };
}

/** An empty database whose owner has no other rights, as at a provider of Postgres. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await asAdministrator(async (client) => {
    await client.query(`create role ${name} login`);
    await client.query(`create database ${name} owner ${name}`);
  });
  return {
    connection: { ...inject('postgres'), user: name, database: name },
    drop: () =>
      asAdministrator(async (client) => {
        await client.query(`drop database if exists ${name} with (force)`);
        await client.query(`drop role if exists ${name}`);
      }),
  };
}

async function ensureTemplate(client: pg.Client, migrate: Migrate): Promise<void> {
  const found = await client.query('select from pg_database where datname = $1', [TEMPLATE]);
  if (found.rowCount === 1) return;
  const unfinished = `${TEMPLATE}_unfinished`;
  await client.query(`drop database if exists ${unfinished} with (force)`);
  await client.query(`create database ${unfinished}`);
  const pool = new pg.Pool({ ...inject('postgres'), database: unfinished });
  try {
    await migrate(pool);
  } finally {
    await pool.end();
  }
  await client.query(`alter database ${unfinished} rename to ${TEMPLATE}`);
}

async function asAdministrator(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(inject('postgres'));
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
