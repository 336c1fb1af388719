import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { StartProblem } from '../lifecycle/start-problem.ts';
import { type Changes, listenToChanges } from './changes.ts';
import { type Connection, createDatabase, createPool, type Database } from './database.ts';
import { keepPostgres } from './embedded/keep-postgres.ts';
import type { EmbeddedPostgresDeps } from './embedded/start-postgres.ts';
import { migrate } from './migrate.ts';

export type OpenDatabase = {
  db: Database;
  /** For work that can be called off. */
  pool: pg.Pool;
  changes: Changes;
  stop(): Promise<void>;
};

export type OpenDatabaseDeps = EmbeddedPostgresDeps & {
  databaseUrl: string | undefined;
  onError: (error: unknown) => void;
};

const GOODBYE_MS = 5_000;

/** Postgres' code for it. */
const NOT_PERMITTED = '42501';

/** The database, migrated and listened to: the operator's own, or the embedded one. */
export async function openDatabase(deps: OpenDatabaseDeps): Promise<OpenDatabase> {
  const postgres = deps.databaseUrl === undefined ? await keepPostgres(deps) : undefined;
  const connection: Connection = postgres?.connection ?? {
    connectionString: deps.databaseUrl ?? '',
  };
  const pool = createPool(connection, deps.onError);
  try {
    await reach(pool, deps.databaseUrl);
    await migrate(pool).catch((error) => {
      throw migrationProblem(error, deps.databaseUrl);
    });
    const changes = await listenToChanges({ connection, onError: deps.onError });
    return {
      db: createDatabase(pool),
      pool,
      changes,
      async stop() {
        // A database that hangs is not waited for: it could not say goodbye anyway.
        const closed = Promise.all([changes.stop(), pool.end()]);
        await Promise.race([closed, delay(GOODBYE_MS, undefined, { ref: false })]);
        await postgres?.stop();
      },
    };
  } catch (error) {
    await pool.end();
    await postgres?.stop();
    throw error;
  }
}

/** The address holds a password, so the sentence does not repeat it. */
async function reach(pool: pg.Pool, databaseUrl: string | undefined): Promise<void> {
  try {
    await pool.query('select 1');
  } catch (error) {
    if (databaseUrl === undefined) throw error;
    const { code = 'no answer' } = error as { code?: string };
    throw new StartProblem(`DATABASE_URL names a database that cannot be used (${code}).`, {
      cause: error,
    });
  }
}

/** In a database of the operator's, what we may do is the operator's to mend; the rest is a defect of ours. */
function migrationProblem(error: unknown, databaseUrl: string | undefined): unknown {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  if (databaseUrl === undefined || (code ?? cause?.code) !== NOT_PERMITTED) return error;
  return new StartProblem(
    `DATABASE_URL names a user who may not create schemas and tables in its database (${NOT_PERMITTED}).`,
    { cause: error },
  );
}
