import { access, chown, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../processes/run.ts';
import { type Cluster, DATABASE_USER, POSTGRES_ENV, PostgresProblem } from './cluster.ts';
import { initdbArgv } from './postgres-argv.ts';

const TIMEOUT_MS = 120_000;
const UNFINISHED = 'new-';

/** Creates the data folder once. It is renamed last, so that an unfinished one is never used. */
export async function initialiseCluster(
  cluster: Cluster,
  log: (message: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const exists = await access(cluster.dataFolder).then(
    () => true,
    () => false,
  );
  if (exists) return;
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
    // The initdb of a killed server may still be writing; it fails once its folder is gone.
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 30 });
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
  throw new PostgresProblem(`Preparing the database failed: ${evidence}`);
}
