import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartProblem } from '../lifecycle/start-problem.ts';

const INSTALLATION_FILE = 'installation';

/**
 * Binds the data directory to one database. With another database, every app in the directory would be unknown and be removed, so
 * a wrong DATABASE_URL must stop the start.
 */
export async function claimDataDir(dataDir: string, installationId: string): Promise<void> {
  const path = join(dataDir, INSTALLATION_FILE);
  const claimedBy = await readFile(path, 'utf8').catch(() => undefined);
  if (claimedBy === undefined) await writeFile(path, installationId, { mode: 0o600, flush: true });
  else if (claimedBy !== installationId) {
    throw new StartProblem(
      `DATABASE_URL names another database than the one whose apps are in LONGSHORE_DATA_DIR ${dataDir}.`,
    );
  }
}
