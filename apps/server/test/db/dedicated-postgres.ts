import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { supervisePostgres } from '../../src/db/embedded/supervise-postgres.ts';
import { migrate } from '../../src/db/migrate.ts';
import type { TestDatabase } from './test-database.ts';

export type DedicatedPostgres = {
  database: TestDatabase;
  /** Kills it. It is restarted, as by the server. */
  kill(): Promise<void>;
  /** Suspends all of its processes until `thaw`. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  stop(): Promise<void>;
};

/** A Postgres for one test file that may be killed and suspended. */
export async function startDedicatedPostgres(): Promise<DedicatedPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'longshore-dedicated-'));
  await chmod(dataDir, 0o711);
  const postgres = await supervisePostgres({
    dataDir,
    isRoot: process.getuid?.() === 0,
    log: () => {},
    warn: () => {},
    signal: AbortSignal.timeout(120_000),
    settings: [['fsync', 'off']],
  });
  const pool = new pg.Pool(postgres.connection);
  await migrate(pool);
  await pool.end();

  async function send(signal: NodeJS.Signals): Promise<void> {
    const pidFile = join(dataDir, 'postgres', 'data', 'postmaster.pid');
    const postmaster = Number((await readFile(pidFile, 'utf8')).split('\n')[0]);
    const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
    for (const pid of [postmaster, ...children.trim().split(' ').map(Number)]) {
      process.kill(pid, signal);
    }
  }

  return {
    database: { connection: postgres.connection, drop: async () => {} },
    kill: () => send('SIGKILL'),
    freeze: () => send('SIGSTOP'),
    thaw: () => send('SIGCONT'),
    async stop() {
      await postgres.stop();
      await rm(dataDir, { recursive: true });
    },
  };
}
