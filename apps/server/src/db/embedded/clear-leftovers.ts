import { readdir, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cluster } from './cluster.ts';
import { pidFilePath } from './pid-file.ts';
import { runningPostgres, stopPostgres } from './stop-postgres.ts';

const SOCKET = '.s.PGSQL.5432';

/**
 * Removes what an earlier Postgres left, so that a new one can start. Lock files keep two servers from writing to the
 * data folder, so they are removed only after all processes of it have ended.
 */
export async function clearLeftovers(cluster: Cluster): Promise<void> {
  for (const pid of await processesIn(cluster.dataFolder)) {
    const leftover = await runningPostgres(pid);
    if (leftover !== undefined) await stopPostgres(leftover);
  }
  await rm(pidFilePath(cluster), { force: true });
  await rm(join(cluster.socketFolder, SOCKET), { force: true });
  await rm(join(cluster.socketFolder, `${SOCKET}.lock`), { force: true });
}

/** The pids of Postgres processes, the main one first. Each has its data folder as working directory. */
async function processesIn(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger);
  const folders = await Promise.all(
    pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => undefined)),
  );
  return pids.filter((_, index) => folders[index] === folder).sort((a, b) => a - b);
}
