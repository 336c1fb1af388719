import { access, chown, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../processes/run.ts';
import { type Cluster, DATABASE_USER, POSTGRES_ENV } from './cluster.ts';
import { initdbArgv } from './postgres-argv.ts';
import { PostgresProblem } from './postgres-problem.ts';

const TIMEOUT_MS = 120_000;
const UNFINISHED = 'new-';

/** Makes the data folder once. It gets its name last, so one that was cut off is never used. */
export async function initialiseCluster(
  cluster: Cluster,
  log: (message: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const isThere = await access(cluster.dataFolder).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  log('Preparing the database (once)');
  await removeUnfinished(cluster.folder);
  const unfinished = await mkdtemp(join(cluster.folder, UNFINISHED));
  const { identity } = cluster;
  if (identity !== undefined) await chown(unfinished, identity.uid, identity.gid);
  await runInitdb(cluster, unfinished, signal);
  await rename(unfinished, cluster.dataFolder);
}

async function removeUnfinished(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(UNFINISHED));
  for (const name of names) {
    // When the server was killed, its initdb may still be writing; without its folder it soon gives up.
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 10 });
  }
}

async function runInitdb(cluster: Cluster, into: string, signal: AbortSignal): Promise<void> {
  const lines: string[] = [];
  const end = await run(
    {
      argv: initdbArgv(cluster.binDir, into, DATABASE_USER),
      cwd: '/',
      env: POSTGRES_ENV,
      identity: cluster.identity,
    },
    { signal, timeoutMs: TIMEOUT_MS, onLine: (line) => void lines.push(line) },
  );
  if (end.kind === 'exited' && end.code === 0) return;
  const evidence = lines.findLast((line) => line.includes('error:')) ?? lines.at(-1) ?? end.kind;
  throw new PostgresProblem(`The database could not be prepared: ${evidence}`);
}
