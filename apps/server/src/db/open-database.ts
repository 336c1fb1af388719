import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { StartProblem } from '../lifecycle/start-problem.ts';
import { type Changes, listenToChanges } from './changes.ts';
import { type Connection, createDatabase, createPool, type Database } from './database.ts';
import { type SupervisorDeps, supervisePostgres } from './embedded/supervise-postgres.ts';
import { migrate, runSilently, type Step } from './migrate.ts';
import { type ServersLock, takeServersLock } from './servers-lock.ts';

export type OpenDatabase<Prepared> = {
  /** What `prepare` returned. */
  prepared: Prepared;
  db: Database;
  connection: Connection;
  /** For cancellable work (`createWithConnection`). */
  pool: pg.Pool;
  changes: Changes;
  stop(): Promise<void>;
};

export type OpenDatabaseDeps<Prepared> = SupervisorDeps & {
  /** Runs before anything else reads the database, under the lock of the migrations. */
  prepare(opened: {
    db: Database;
    pool: pg.Pool;
    isEmbedded: boolean;
    step: Step;
  }): Promise<Prepared>;
  databaseUrl: string | undefined;
  onError: (error: unknown) => void;
  /** Held while the database is open. Only one process of an embedded database can open it anyway. */
  serversLock?: ServersLock | undefined;
  /** Reports a step of the start. */
  step?: Step;
};

const CLOSE_TIMEOUT_MS = 5_000;

/** Postgres' error code. */
const INSUFFICIENT_PRIVILEGE = '42501';

/** Opens the external or embedded database, migrates it and listens to its changes. */
export async function openDatabase<Prepared>(
  deps: OpenDatabaseDeps<Prepared>,
): Promise<OpenDatabase<Prepared>> {
  const { step = runSilently, serversLock } = deps;
  const postgres =
    deps.databaseUrl === undefined
      ? await step('Start database', () => supervisePostgres(deps))
      : undefined;
  const connection: Connection = postgres?.connection ?? {
    connectionString: deps.databaseUrl ?? '',
  };
  const pool = createPool(connection, deps.onError);
  try {
    await requireConnection(pool, deps.databaseUrl);
    const db = createDatabase(pool);
    let prepared: { result: Prepared } | undefined;
    await migrate(pool, step, async () => {
      const isEmbedded = postgres !== undefined;
      prepared = { result: await deps.prepare({ db, pool, isEmbedded, step }) };
    }).catch((error) => {
      throw migrationProblem(error, deps.databaseUrl);
    });
    if (prepared === undefined) throw new Error('The database was not prepared');
    const changes = await listenToChanges({
      connection,
      onError: deps.onError,
      ...(serversLock === undefined ? {} : { onConnect: takeServersLock(serversLock) }),
    });
    return {
      db,
      connection,
      prepared: prepared.result,
      pool,
      changes,
      async stop() {
        // A database that does not respond must not block the shutdown.
        const closed = Promise.all([changes.stop(), pool.end()]);
        await Promise.race([closed, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
        await postgres?.stop();
      },
    };
  } catch (error) {
    await pool.end();
    await postgres?.stop();
    throw error;
  }
}

/** The URL contains a password, so the message does not repeat it. */
async function requireConnection(pool: pg.Pool, databaseUrl: string | undefined): Promise<void> {
  try {
    await pool.query('select 1');
  } catch (error) {
    if (databaseUrl === undefined) throw error;
    const { code = 'no response' } = error as { code?: string };
    throw new StartProblem(`Cannot connect to the database in DATABASE_URL (${code}).`, {
      cause: error,
    });
  }
}

/** The operator can grant missing privileges in an external database; every other failure is a bug. */
function migrationProblem(error: unknown, databaseUrl: string | undefined): unknown {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  if (databaseUrl === undefined || (code ?? cause?.code) !== INSUFFICIENT_PRIVILEGE) return error;
  return new StartProblem(
    `The user in DATABASE_URL may not create schemas and tables in its database (${INSUFFICIENT_PRIVILEGE}).`,
    { cause: error },
  );
}

/** The id of this installation, which is stored in its database. */
export async function installationId(db: Database): Promise<string> {
  const { id } = await db.selectFrom('deploy.installation').select('id').executeTakeFirstOrThrow();
  return id;
}
