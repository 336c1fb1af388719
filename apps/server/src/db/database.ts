import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { withPreparedStatements } from './prepared-statements.ts';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;

/** Either a Postgres of the operator's, or the embedded one behind its socket folder. */
export type Connection =
  | { connectionString: string }
  | { host: string; user: string; database: string };

const POOL_SIZE = 8;
const IDLE_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 15_000;

export type DatabaseLimits = { connectMs: number; queryMs: number; statementMs?: number };

/** A query is ended by the database itself; one whose database hangs is given up a little later. */
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
  // One in use tells its user, by the query that fails; an error that nobody listens to would end the server.
  pool.on('connect', (client) => client.on('error', () => {}));
  // One whose answer was given up still waits for it, perhaps for ever. Whoever got it next would wait too.
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
