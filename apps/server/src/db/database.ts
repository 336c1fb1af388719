import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { withPreparedStatements } from './prepared-statements.ts';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;

/** An external Postgres, or the embedded one at its socket folder. */
export type Connection =
  | { connectionString: string }
  | { host: string; user: string; database: string };

const POOL_SIZE = 8;
const IDLE_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 15_000;

export type DatabaseLimits = { connectMs: number; queryMs: number; statementMs?: number };

/** Postgres itself ends slow statements; `queryMs` is for a Postgres that does not respond. */
export const DATABASE_LIMITS: DatabaseLimits = { connectMs: 5_000, queryMs: 20_000 };

export function createPool(
  connection: Connection,
  onError: (error: Error) => void,
  { connectMs, queryMs, statementMs = STATEMENT_TIMEOUT_MS }: DatabaseLimits = DATABASE_LIMITS,
): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    max: POOL_SIZE,
    idleTimeoutMillis: IDLE_MS,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    query_timeout: queryMs,
    application_name: 'longshore',
  });
  // An idle connection that the database closed is replaced at the next query.
  pool.on('error', onError);
  // The failing query reports the error of a connection in use. An unhandled error event would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  // A connection whose query timed out may still wait for the result, so that it must not be used again.
  pool.on('release', (_, client) => {
    if (!isReady(client)) void client.end();
  });
  return pool;
}

function isReady(client: pg.PoolClient): boolean {
  return (client as pg.PoolClient & { readyForQuery: boolean }).readyForQuery;
}

export function createDatabase(pool: pg.Pool): Database {
  return new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: withPreparedStatements(pool) }),
  });
}
