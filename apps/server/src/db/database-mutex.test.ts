import type pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/db/test-database.ts';
import { createPool } from './database.ts';
import { createDatabaseMutex } from './database-mutex.ts';
import { migrate } from './migrate.ts';

let database: TestDatabase;
let pool: pg.Pool;
beforeEach(async () => {
  database = await createTestDatabase(migrate);
  pool = createPool(database.connection, () => {});
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

const createServer = (waitMs?: number) =>
  createDatabaseMutex({ pool, scope: 'test', ...(waitMs && { waitMs }) });

async function waitingForLocks(): Promise<number> {
  const { rows } = await pool.query(
    `select from pg_locks where locktype = 'advisory' and not granted
     and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows.length;
}

it('runs one piece of work at a time per key, on all servers', async () => {
  const servers = [createServer(), createServer(), createServer()];
  let running = 0;
  const peaks: number[] = [];
  const work = async () => {
    running += 1;
    peaks.push(running);
    await pool.query('select pg_sleep(0.01)');
    running -= 1;
  };
  await Promise.all(Array.from({ length: 12 }, (_, at) => servers[at % 3]?.run('account', work)));
  expect(peaks).toEqual(peaks.map(() => 1));
  expect(peaks).toHaveLength(12);
});

it('lets different keys not wait for each other, and releases a key when its work fails', async () => {
  const [first, second] = [createServer(), createServer()];
  const result = await first.run('a', () => second.run('b', async () => 'both'));
  expect(result).toBe('both');
  await expect(first.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await second.run('a', async () => 'free')).toBe('free');
});

it('gives up when the caller does, and after its timeout', async () => {
  const [first, second] = [createServer(), createServer(50)];
  const held = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const holding = first.run('a', async () => {
    started.resolve();
    await held.promise;
  });
  await started.promise;
  await expect(second.run('a', async () => 'never')).rejects.toThrow('timeout');
  const caller = new AbortController();
  const waiting = createServer().run('a', async () => 'never', caller.signal);
  await expect.poll(waitingForLocks).toBe(1);
  caller.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  held.resolve();
  await holding;
});
