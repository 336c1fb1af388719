import { join } from 'node:path';
import { StartProblem } from '../../lifecycle/start-problem.ts';
import type { Identity } from '../../processes/identity.ts';

/** The folders of the embedded database and the user that it runs as. */
export type Cluster = {
  binDir: string;
  folder: string;
  /** Like the socket folder, closed to all users but the database's and root. */
  dataFolder: string;
  socketFolder: string;
  logFile: string;
  /** Undefined: the user of the server. */
  identity: Identity | undefined;
};

export const DATABASE_USER = 'longshore';
export const DATABASE_NAME = 'postgres';

/** Postgres gets nothing of the server's environment. */
export const POSTGRES_ENV = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

export function clusterFolder(dataDir: string): string {
  return join(dataDir, 'postgres');
}

export function clusterDataFolder(dataDir: string): string {
  return join(clusterFolder(dataDir), 'data');
}

/** Why the embedded database cannot be used. */
export class PostgresProblem extends StartProblem {}
