import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database } from './database.ts';
import { createPreparedStatements, type PreparedConnection } from './prepared-statements.ts';
import type { Schema } from './schema.ts';

/**
 * Runs cancellable work on one connection: when the signal aborts, Postgres cancels its running statement. The
 * connection is then closed, because the cancellation may arrive late and hit a later statement.
 */
export type WithConnection = <Result>(
  signal: AbortSignal,
  work: (db: Database) => Promise<Result>,
) => Promise<Result>;

export function createWithConnection(pool: pg.Pool): WithConnection {
  const prepared = createPreparedStatements();
  const databases = new WeakMap<PreparedConnection, Database>();
  return async (signal, work) => {
    signal.throwIfAborted();
    const client = await pool.connect();
    const connection = prepared(client);
    let cancelled: Promise<void> | undefined;
    const cancel = () => {
      cancelled = cancelQuery(pool, client);
    };
    try {
      signal.throwIfAborted();
      signal.addEventListener('abort', cancel, { once: true });
      return await work(databaseOn(connection));
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', cancel);
      await cancelled;
      connection.release(cancelled !== undefined);
    }
  };

  function databaseOn(connection: PreparedConnection): Database {
    const database = databases.get(connection) ?? createDatabaseOn(connection);
    databases.set(connection, database);
    return database;
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

function createDatabaseOn({ query }: PreparedConnection): Database {
  const connection = { query, release() {} };
  const pool = { connect: async () => connection, end: async () => {} };
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: pool as never }) });
}
