import { readdir, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type Cluster, DATABASE_NAME, DATABASE_USER } from './cluster.ts';
import { argvOf, isPostgresOf, pidFilePath, readPidFile } from './pid-file.ts';
import { type RunningPostgres, runningPostgres, stopPostgres } from './stop-postgres.ts';

const RESPONSE_TIMEOUT_MS = 3_000;

/** The Postgres that a killed server left running, if it has the same arguments and responds. */
export async function takeOverPostgres(
  cluster: Cluster,
  argv: readonly string[],
): Promise<RunningPostgres | undefined> {
  const pidFile = await readPidFile(cluster);
  if (pidFile === undefined) return undefined;
  const found = await argvOf(pidFile.pid);
  if (!isPostgresOf(cluster.dataFolder, found) || found.join('\0') !== argv.join('\0')) {
    return undefined;
  }
  return (await responds(cluster)) ? await runningPostgres(pidFile.pid) : undefined;
}

async function responds(cluster: Cluster): Promise<boolean> {
  const client = new pg.Client({
    host: cluster.socketFolder,
    user: DATABASE_USER,
    database: DATABASE_NAME,
    connectionTimeoutMillis: RESPONSE_TIMEOUT_MS,
    query_timeout: RESPONSE_TIMEOUT_MS,
  });
  // An unhandled error event would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

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
