import { chmod, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Cluster,
  clusterDataFolder,
  clusterFolder,
  DATABASE_NAME,
  DATABASE_USER,
} from './cluster.ts';
import { clearLeftovers, takeOverPostgres } from './earlier-postgres.ts';
import { initialiseCluster } from './initialise-cluster.ts';
import { launchPostgres } from './launch-postgres.ts';
import { postgresIdentity } from './postgres-account.ts';
import { postgresArgv, type Setting } from './postgres-argv.ts';
import { postgresBinaries } from './postgres-binaries.ts';
import { chooseSocketFolder, createSocketFolder } from './socket-folder.ts';
import { stopPostgres, waitForPostgresEnd } from './stop-postgres.ts';

export type EmbeddedPostgres = {
  connection: { host: string; user: string; database: string };
  /** Resolves when the process has ended unexpectedly. */
  ended(signal: AbortSignal): Promise<void>;
  /** Resolves when the process has ended. */
  stop(): Promise<void>;
};

export type EmbeddedPostgresDeps = {
  dataDir: string;
  isRoot: boolean;
  log(message: string): void;
  signal: AbortSignal;
  /** In addition to the default settings. */
  settings?: readonly Setting[];
};

/**
 * Starts the embedded Postgres of a data directory, or takes over the one that a killed server left running. It keeps
 * running after this process unless it is stopped. The caller holds the lock of the data directory.
 */
export async function startPostgres(deps: EmbeddedPostgresDeps): Promise<EmbeddedPostgres> {
  const { log, signal, settings } = deps;
  const cluster = await prepareCluster(deps);
  await initialiseCluster(cluster, log, signal);
  const argv = postgresArgv(cluster, settings);
  const orphan = await takeOverPostgres(cluster, argv);
  if (orphan !== undefined) log('Took over the database of an earlier run');
  if (orphan === undefined) await clearLeftovers(cluster);
  const postgres = orphan ?? (await launchPostgres(cluster, argv, signal));
  return {
    connection: embeddedConnection(deps.dataDir, deps.isRoot),
    ended: (signal) => waitForPostgresEnd(postgres, signal),
    stop: () => stopPostgres(postgres),
  };
}

/** How to connect to the running embedded Postgres of a data directory. */
export function embeddedConnection(
  dataDir: string,
  isRoot: boolean,
): EmbeddedPostgres['connection'] {
  const host = chooseSocketFolder(clusterFolder(dataDir), isRoot);
  return { host, user: DATABASE_USER, database: DATABASE_NAME };
}

async function prepareCluster({ dataDir, isRoot, signal }: EmbeddedPostgresDeps): Promise<Cluster> {
  const [folder, dataFolder] = [clusterFolder(dataDir), clusterDataFolder(dataDir)];
  const binDir = await postgresBinaries({ dataDir, isRoot });
  const identity = isRoot ? await postgresIdentity(dataFolder, signal) : undefined;
  await mkdir(folder, { recursive: true });
  // Owned by the server's user, so that the database's user cannot replace its content, only enter it.
  await chmod(folder, isRoot ? 0o711 : 0o700);
  const socketFolder = chooseSocketFolder(folder, isRoot);
  await createSocketFolder(socketFolder, identity ?? (await stat(folder)));
  return { binDir, folder, dataFolder, logFile: join(folder, 'log'), socketFolder, identity };
}
