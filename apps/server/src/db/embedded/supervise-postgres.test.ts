import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isAlive } from '../../processes/process-stat.ts';
import { type SupervisedPostgres, supervisePostgres } from './supervise-postgres.ts';

let dataDir: string;
let lines: string[];
let postgres: SupervisedPostgres;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'longshore-supervised-'));
  await chmod(dataDir, 0o711);
  lines = [];
  postgres = await supervisePostgres({
    dataDir,
    isRoot: process.getuid?.() === 0,
    signal: AbortSignal.timeout(60_000),
    log: () => {},
    warn: (line) => void lines.push(line),
    settings: [['fsync', 'off']],
  });
});
afterEach(async () => {
  await postgres.stop();
  await rm(dataDir, { recursive: true });
});

async function pidOf(): Promise<number> {
  const text = await readFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8');
  return Number(text.split('\n')[0]);
}

async function queryResult(): Promise<unknown> {
  const client = new pg.Client(postgres.connection);
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query('select 1 as one')).rows;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await client.end().catch(() => {});
  }
}

it.each(['SIGKILL', 'SIGINT'] as const)('restarts a database that %s ended', async (signal) => {
  process.kill(await pidOf(), signal);
  await expect.poll(() => lines).toHaveLength(1);
  await expect.poll(queryResult).toEqual([{ one: 1 }]);
  expect(lines).toEqual(['The database exited unexpectedly. Restarting it.']);
});

it('does not restart a database that was stopped', async () => {
  const pid = await pidOf();
  await postgres.stop();
  expect(await isAlive(pid)).toBe(false);
  expect(lines).toEqual([]);
});
