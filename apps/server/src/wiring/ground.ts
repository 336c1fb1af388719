import { claimDataDir } from '../data-dir/claim-data-dir.ts';
import { lockDataDir } from '../data-dir/lock-data-dir.ts';
import { resolveDataDir } from '../data-dir/resolve-data-dir.ts';
import { installationId } from '../db/installation.ts';
import { openDatabase } from '../db/open-database.ts';
import { StartProblem } from '../start-problem.ts';
import type { Wiring } from './wiring.ts';

export type Ground = Awaited<ReturnType<typeof openGround>>;

type GroundWiring = Pick<Wiring, 'config' | 'isRoot' | 'print' | 'started' | 'signal' | 'log'>;

/** What everything stands on: a home that is ours alone, and the database. */
export async function openGround(wiring: GroundWiring) {
  const { config, isRoot, print, started, signal, log } = wiring;
  const home = await resolveDataDir({ configuredDir: config.dataDir, isRoot, print });
  const lock = await lockDataDir(home);
  if (!lock.ok) throw new StartProblem(lock.message);
  started.add(lock.release);

  const { db, pool, changes, stop } = await openDatabase({
    home,
    isRoot,
    signal,
    databaseUrl: config.databaseUrl,
    log: (message) => log.info(message),
    onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  });
  started.add(stop);
  const installation = await installationId(db);
  await claimDataDir(home, installation);
  return { home, db, pool, changes, installation };
}
