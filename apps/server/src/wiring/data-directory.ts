import { claimDataDir } from '../data-dir/claim-data-dir.ts';
import { lockDataDir } from '../data-dir/lock-data-dir.ts';
import { resolveDataDir } from '../data-dir/resolve-data-dir.ts';
import { installationId, openDatabase } from '../db/open-database.ts';
import { StartProblem } from '../lifecycle/start-problem.ts';
import type { ServerContext } from './server-context.ts';

/** The data directory with its database. */
export type DataDirectory = Awaited<ReturnType<typeof openDataDirectory>>;

type OpenContext = Pick<
  ServerContext,
  'config' | 'isRoot' | 'print' | 'shutdown' | 'signal' | 'log'
> &
  Partial<Pick<ServerContext, 'step'>>;

/** Locks the data directory for this process, and opens the database. */
export async function openDataDirectory(context: OpenContext) {
  const { config, isRoot, print, shutdown, signal, log, step } = context;
  const dataDir = await resolveDataDir({ configuredDir: config.dataDir, isRoot, print });
  const lock = await lockDataDir(dataDir);
  if (!lock.ok) throw new StartProblem(lock.message);
  shutdown.add(lock.release);

  const { db, pool, changes, stop } = await openDatabase({
    dataDir,
    isRoot,
    signal,
    databaseUrl: config.databaseUrl,
    log: (message) => log.info(message),
    warn: (message) => log.warn(message),
    ...(step === undefined ? {} : { step }),
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  shutdown.add(stop);
  const installation = await installationId(db);
  await claimDataDir(dataDir, installation);
  return { dataDir, db, pool, changes, installation };
}
