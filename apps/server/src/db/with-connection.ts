import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/**
 * Runs cancellable work on one connection: when the signal aborts, Postgres cancels its running statement. The
 * connection is then closed, because the cancellation may arrive late and hit a later statement.
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

/** Uses a separate connection, because all connections of the pool may be busy. */
async function cancelQuery(pool: pg.Pool, client: pg.PoolClient): Promise<void> {
  const { processID } = client as pg.PoolClient & { processID: number };
  const other = new pg.Client(pool.options);
  other.on('error', () => {});
  try {
    await other.connect();
    await other.query('select pg_cancel_backend($1)', [processID]);
  } catch {
    // The statement timeout ends it later.
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
