import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;

/** Either a Postgres of the operator's, or the embedded one behind its socket folder. */
export type Connection =
  | { connectionString: string }
  | { host: string; user: string; database: string };

const POOL_SIZE = 8;
const IDLE_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 15_000;

export function createPool(connection: Connection, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    max: POOL_SIZE,
    idleTimeoutMillis: IDLE_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'longshore',
  });
  // An idle connection that the database closed is replaced at the next query.
  pool.on('error', onError);
  // One in use tells its user, by the query that fails; an error that nobody listens to would end the server.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

export function createDatabase(pool: pg.Pool): Database {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
}
