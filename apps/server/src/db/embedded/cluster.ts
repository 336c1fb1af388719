import { join } from 'node:path';
import type { Identity } from '../../processes/identity.ts';

/** Where the embedded database lives and whom it runs as. */
export type Cluster = {
  binDir: string;
  folder: string;
  /** Private to the database's user, as is the socket's; root can still enter. */
  dataFolder: string;
  socketFolder: string;
  logFile: string;
  /** Undefined: as the server's own user. */
  identity: Identity | undefined;
};

export const DATABASE_USER = 'longshore';
export const DATABASE_NAME = 'postgres';

/** Nothing of the server's environment reaches Postgres. */
export const POSTGRES_ENV = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

export function clusterFolder(home: string): string {
  return join(home, 'postgres');
}

export function clusterDataFolder(home: string): string {
  return join(clusterFolder(home), 'data');
}
