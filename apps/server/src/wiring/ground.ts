import { installationId } from '../db/installation.ts';
import { openDatabase } from '../db/open-database.ts';
import { claimHome } from '../home/claim-home.ts';
import { lockDataDir } from '../home/lock-data-dir.ts';
import { reachableHome } from '../home/reachable-home.ts';
import { StartProblem } from '../start-problem.ts';
import type { Wiring } from './wiring.ts';

export type Ground = Awaited<ReturnType<typeof openGround>>;

type GroundWiring = Pick<Wiring, 'config' | 'isRoot' | 'print' | 'started' | 'signal' | 'log'>;

/** What everything stands on: a home that is ours alone, and the database. */
export async function openGround(wiring: GroundWiring) {
  const { config, isRoot, print, started, signal, log } = wiring;
  const home = await reachableHome({ dataDir: config.dataDir, isRoot, print });
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
  await claimHome(home, installation);
  return { home, db, pool, changes, installation };
}
