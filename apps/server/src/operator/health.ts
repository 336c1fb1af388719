import { statfs } from 'node:fs/promises';
import type { SystemHealth } from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Isolation } from '../sandbox/isolation.ts';

export type HealthDeps = {
  db: Database;
  dataDir: string;
  isDatabaseEmbedded: boolean;
  version: string;
  startedAt: Date;
  engine: { kind: string; version(signal: AbortSignal): Promise<string | undefined> };
  edge(): SystemHealth['edge'];
  isolation(): Promise<Isolation>;
  load(): Pick<SystemHealth, 'builds' | 'reconciling'>;
};

const TIMEOUT_MS = 5_000;

/** The state of the installation. What cannot be read within seconds is null. */
export async function systemHealth(deps: HealthDeps, signal: AbortSignal): Promise<SystemHealth> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const [database, engineVersion, disk, isolation] = await Promise.all([
    readDatabase(deps.db),
    deps.engine.version(limited).catch(() => undefined),
    readDisk(deps.dataDir),
    deps.isolation(),
  ]);
  const { users, ...versionAndSize } = database;
  return {
    version: deps.version,
    nodeVersion: process.version,
    startedAt: deps.startedAt.toISOString(),
    engine: { kind: deps.engine.kind, version: engineVersion ?? null },
    database: { ...versionAndSize, isEmbedded: deps.isDatabaseEmbedded },
    edge: deps.edge(),
    disk,
    missingIsolation: isolation.kind === 'isolated' ? [] : isolation.missing,
    ...deps.load(),
    users,
  };
}

async function readDatabase(db: Database) {
  const { rows } = await sql<{ version: string; bytes: number; users: number }>`
    select current_setting('server_version') as version,
      pg_database_size(current_database())::float8 as bytes,
      (select count(*)::int from auth.users where not is_anonymous) as users`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('The database did not describe itself');
  return row;
}

/** The file system of the data directory. */
async function readDisk(dataDir: string): Promise<SystemHealth['disk']> {
  const stats = await statfs(dataDir).catch(() => undefined);
  if (stats === undefined) return null;
  const { blocks, bavail, bsize } = stats;
  return { usedBytes: (blocks - bavail) * bsize, totalBytes: blocks * bsize };
}
