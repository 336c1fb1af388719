import { chmod, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { postgresIdentity } from './account.ts';
import { clearLeftovers } from './clear-leftovers.ts';
import {
  type Cluster,
  clusterDataFolder,
  clusterFolder,
  DATABASE_NAME,
  DATABASE_USER,
} from './cluster.ts';
import { initialiseCluster } from './initialise-cluster.ts';
import { launchPostgres } from './launch-postgres.ts';
import { postgresArgv, type Setting } from './postgres-argv.ts';
import { postgresBinaries } from './postgres-binaries.ts';
import { chooseSocketFolder, makeSocketFolder } from './socket-folder.ts';
import { postgresEnd, stopPostgres } from './stop-postgres.ts';
import { takeOver } from './take-over.ts';

export type EmbeddedPostgres = {
  connection: { host: string; user: string; database: string };
  /** Resolves when it has ended by itself. */
  ended(signal: AbortSignal): Promise<void>;
  /** Resolves when it is gone. */
  stop(): Promise<void>;
};

export type EmbeddedPostgresDeps = {
  home: string;
  isRoot: boolean;
  log(message: string): void;
  signal: AbortSignal;
  /** Beyond the usual ones. */
  settings?: readonly Setting[];
};

/**
 * Starts the embedded Postgres of a home, or takes over the one a killed server left running. It outlives this process
 * unless stopped. The caller holds the lock of the home, so nobody else is using it.
 */
export async function startPostgres(deps: EmbeddedPostgresDeps): Promise<EmbeddedPostgres> {
  const { log, signal, settings } = deps;
  const cluster = await makeCluster(deps);
  await initialiseCluster(cluster, log, signal);
  const argv = postgresArgv(cluster, settings);
  const orphan = await takeOver(cluster, argv);
  if (orphan !== undefined) log('Took over the database of an earlier run');
  if (orphan === undefined) await clearLeftovers(cluster);
  const postgres = orphan ?? (await launchPostgres(cluster, argv, signal));
  return {
    connection: { host: cluster.socketFolder, user: DATABASE_USER, database: DATABASE_NAME },
    ended: (signal) => postgresEnd(postgres, signal),
    stop: () => stopPostgres(postgres),
  };
}

async function makeCluster({ home, isRoot, signal }: EmbeddedPostgresDeps): Promise<Cluster> {
  const [folder, dataFolder] = [clusterFolder(home), clusterDataFolder(home)];
  const binDir = await postgresBinaries({ home, isRoot });
  const identity = isRoot ? await postgresIdentity(dataFolder, signal) : undefined;
  await mkdir(folder, { recursive: true });
  // Ours, so that what is in it cannot be swapped by the database's user; that user only passes through.
  await chmod(folder, isRoot ? 0o711 : 0o700);
  const socketFolder = chooseSocketFolder(folder, isRoot);
  await makeSocketFolder(socketFolder, identity ?? (await stat(folder)));
  return { binDir, folder, dataFolder, logFile: join(folder, 'log'), socketFolder, identity };
}
