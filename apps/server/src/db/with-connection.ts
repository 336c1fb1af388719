import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/**
 * Work on one connection that can be called off: when the signal aborts, the database stops what it is doing
 * for it. Such a connection is not used again, for the order to stop may reach it late.
 */
export async function withConnection<Result>(
  pool: pg.Pool,
  signal: AbortSignal,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const client = await pool.connect();
  let cancelled: Promise<void> | undefined;
  const cancel = () => {
    cancelled = cancelQuery(pool, client);
  };
  try {
    signal.throwIfAborted();
    signal.addEventListener('abort', cancel, { once: true });
    return await work(databaseOn(client));
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
    await cancelled;
    client.release(cancelled !== undefined);
  }
}

/** Over a connection of its own: all of the pool may be busy. */
async function cancelQuery(pool: pg.Pool, client: pg.PoolClient): Promise<void> {
  const { processID } = client as pg.PoolClient & { processID: number };
  const other = new pg.Client(pool.options);
  other.on('error', () => {});
  try {
    await other.connect();
    await other.query('select pg_cancel_backend($1)', [processID]);
  } catch {
    // The time limit of the statement ends it then.
  } finally {
    await other.end().catch(() => {});
  }
}

function databaseOn(client: pg.PoolClient): Database {
  const connection = {
    query: client.query.bind(client) as pg.PoolClient['query'],
    release() {},
  };
  const pool = { connect: async () => connection, end: async () => {} };
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: pool as never }) });
}
