import { clusterDataFolder } from '../../src/db/embedded/cluster.ts';
import { startPostgres } from '../../src/db/embedded/start-postgres.ts';

const TIMEOUT_MS = 120_000;

/** Creates the embedded database of a data directory, as a server does at its first start. Returns its folder. */
export async function createDatabaseFolder(dataDir: string): Promise<string> {
  const isRoot = process.getuid?.() === 0;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const postgres = await startPostgres({ dataDir, isRoot, log: () => {}, signal });
  await postgres.stop();
  return clusterDataFolder(dataDir);
}
