import { join } from 'node:path';
import { openVariables } from '../apps/open-variables.ts';
import { claimDataDir } from '../data-dir/claim-data-dir.ts';
import { isDataDirLocked, lockDataDir } from '../data-dir/lock-data-dir.ts';
import { resolveDataDir } from '../data-dir/resolve-data-dir.ts';
import { createDatabase, createPool, type Database } from '../db/database.ts';
import { embeddedConnection } from '../db/embedded/start-postgres.ts';
import { installationId, openDatabase } from '../db/open-database.ts';
import type { ServersLock } from '../db/servers-lock.ts';
import { StartProblem } from '../lifecycle/start-problem.ts';
import { openKeys } from '../secrets/open-keys.ts';
import type { ServerContext } from './server-context.ts';

/** The data directory with its database. */
export type DataDirectory = Awaited<ReturnType<typeof openDataDirectory>>;

type OpenContext = Pick<
  ServerContext,
  'config' | 'isRoot' | 'print' | 'shutdown' | 'signal' | 'log'
> &
  Partial<Pick<ServerContext, 'step'>> & {
    /** `exclusive`: no server may use the same database. Default: `shared`. */
    serversLock?: ServersLock;
  };

/** Locks the data directory for this process, and opens the database. */
export async function openDataDirectory(context: OpenContext) {
  const { config, isRoot, print, shutdown, signal, log, step } = context;
  const dataDir = await resolveDataDir({ configuredDir: config.dataDir, isRoot, print });
  const lock = await lockDataDir(dataDir);
  if (!lock.ok) throw new StartProblem(lock.message);
  shutdown.add(lock.release);

  const warn = (message: string) => log.warn(message);
  const { db, pool, connection, changes, prepared, stop } = await openDatabase({
    dataDir,
    async prepare(opened) {
      const installation = await installationId(opened.db);
      // Before anything is encrypted with the keys of this directory.
      await claimDataDir(dataDir, installation);
      const folder = join(config.dataDir, 'keys');
      const keys = await openKeys({ db: opened.db, masterKey: config.masterKey, folder });
      const variables = await openVariables({ ...opened, keys, warn });
      return { installation, keys, variables };
    },
    isRoot,
    signal,
    databaseUrl: config.databaseUrl,
    serversLock: config.state === 'shared' ? (context.serversLock ?? 'shared') : undefined,
    log: (message) => log.info(message),
    warn,
    ...(step === undefined ? {} : { step }),
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  shutdown.add(stop);
  return { dataDir, db, pool, connection, changes, ...prepared };
}

/** The database for a command: that of the running server, or opened for the command if no server is running. */
export async function openDatabaseOfInstallation(context: OpenContext): Promise<Database> {
  const { config, isRoot, shutdown, log } = context;
  const dataDir = await resolveDataDir({
    configuredDir: config.dataDir,
    isRoot,
    print: (line) => log.info(line),
  });
  if (!(await isDataDirLocked(dataDir))) return (await openDataDirectory(context)).db;
  const connection =
    config.databaseUrl === undefined
      ? embeddedConnection(dataDir, isRoot)
      : { connectionString: config.databaseUrl };
  const pool = createPool(connection, (error) => log.warn({ err: error }, 'connection lost'));
  shutdown.add(() => pool.end());
  return createDatabase(pool);
}
