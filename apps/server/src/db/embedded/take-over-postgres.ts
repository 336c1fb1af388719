import pg from 'pg';
import { type Cluster, DATABASE_NAME, DATABASE_USER } from './cluster.ts';
import { argvOf, isPostgresOf, readPidFile } from './pid-file.ts';
import { type RunningPostgres, runningPostgres } from './stop-postgres.ts';

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
