import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startPostgres } from '../../src/db/embedded/start-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { host: string; user: string; database: string };
  }
}

/** Starts one Postgres for a whole test run, without durability. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'longshore-test-'));
  await chmod(dataDir, 0o711);
  const postgres = await startPostgres({
    dataDir,
    isRoot: process.getuid?.() === 0,
    log: () => {},
    signal: AbortSignal.timeout(120_000),
    settings: [
      ['fsync', 'off'],
      ['synchronous_commit', 'off'],
      ['full_page_writes', 'off'],
      ['max_connections', '200'],
    ],
  });
  provide('postgres', postgres.connection);
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true });
  };
}
