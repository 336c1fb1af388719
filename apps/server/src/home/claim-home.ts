import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HomeProblem } from './home-problem.ts';

const OWNER = 'installation';

/**
 * A home belongs to one database. With another one, every app in it would look like a leftover and be removed, so a
 * wrong address of the database must not get that far.
 */
export async function claimHome(home: string, installationId: string): Promise<void> {
  const path = join(home, OWNER);
  const owner = await readFile(path, 'utf8').catch(() => undefined);
  if (owner === undefined) await writeFile(path, installationId, { mode: 0o600, flush: true });
  else if (owner !== installationId) {
    throw new HomeProblem(
      `DATABASE_URL names another database than the one whose apps are in LONGSHORE_DATA_DIR ${home}.`,
    );
  }
}
