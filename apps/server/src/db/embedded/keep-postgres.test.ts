import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isAlive } from '../../processes/process-stat.ts';
import { type KeptPostgres, keepPostgres } from './keep-postgres.ts';

let home: string;
let lines: string[];
let postgres: KeptPostgres;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'longshore-kept-'));
  await chmod(home, 0o711);
  lines = [];
  postgres = await keepPostgres({
    home,
    isRoot: process.getuid?.() === 0,
    signal: AbortSignal.timeout(60_000),
    log: (line) => void lines.push(line),
    settings: [['fsync', 'off']],
  });
  lines.length = 0;
});
afterEach(async () => {
  await postgres.stop();
  await rm(home, { recursive: true });
});

async function pidOf(): Promise<number> {
  const text = await readFile(join(home, 'postgres', 'data', 'postmaster.pid'), 'utf8');
  return Number(text.split('\n')[0]);
}

async function answer(): Promise<unknown> {
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

it.each(['SIGKILL', 'SIGINT'] as const)('starts a database again that %s ended', async (signal) => {
  process.kill(await pidOf(), signal);
  await expect.poll(() => lines, { timeout: 10_000 }).toHaveLength(1);
  await expect.poll(answer, { timeout: 10_000 }).toEqual([{ one: 1 }]);
  expect(lines).toEqual(['The database ended by itself and is started again']);
});

it('leaves a database alone that was stopped', async () => {
  const pid = await pidOf();
  await postgres.stop();
  expect(await isAlive(pid)).toBe(false);
  expect(lines).toEqual([]);
});
