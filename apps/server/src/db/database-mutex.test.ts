import type pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startDatabaseProxy } from '../../test/db/database-proxy.ts';
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

type Options = Partial<Parameters<typeof createDatabaseMutex>[0]>;

const createServer = (options: Options = {}) =>
  createDatabaseMutex({ pool, scope: 'test', ...options });

const CONNECTIONS = `from pg_stat_activity
  where datname = current_database() and application_name = 'longshore locks'`;

async function connectionCount(): Promise<number> {
  return (await pool.query(`select ${CONNECTIONS}`)).rows.length;
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
  const [first, second] = [createServer(), createServer({ limits: { waitMs: 50, retryMs: 10 } })];
  const held = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const holding = first.run('a', async () => {
    started.resolve();
    await held.promise;
  });
  await started.promise;
  await expect(second.run('a', async () => 'never')).rejects.toThrow('Timeout');
  const caller = new AbortController();
  const waiting = createServer().run('a', async () => 'never', caller.signal);
  await expect.poll(connectionCount).toBe(2);
  caller.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  held.resolve();
  await holding;
});

it('uses one connection for all keys, and none without work', async () => {
  const server = createServer();
  const held = Promise.withResolvers<void>();
  const started: string[] = [];
  const runs = Array.from({ length: 30 }, (_, at) =>
    server.run(`app ${at}`, () =>
      server.run(`account ${at}`, async () => {
        started.push(`${at}`);
        await held.promise;
      }),
    ),
  );
  await expect.poll(() => started).toHaveLength(30);
  expect(await connectionCount()).toBe(1);
  held.resolve();
  await Promise.all(runs);
  await expect.poll(connectionCount).toBe(0);
});

it('opens a new connection after the database closed the one that has locks', async () => {
  const server = createServer();
  const result = await server.run('a', async () => {
    await pool.query(`select pg_terminate_backend(pid) ${CONNECTIONS}`);
    await expect.poll(connectionCount).toBe(0);
    return await server.run('b', async () => 'both');
  });
  expect(result).toBe('both');
  expect(await server.run('a', async () => 'again')).toBe('again');
});

it('ends, and locks again later, when the database vanishes during the work', async () => {
  const proxy = await startDatabaseProxy(database.connection);
  const throughProxy = createPool(proxy.connection, () => {});
  try {
    const server = createServer({ pool: throughProxy, limits: { responseMs: 200 } });
    const running = server.run('a', async () => {
      proxy.stall();
      return 'done';
    });
    expect(await running).toBe('done');
    await expect(server.run('a', async () => 'never')).rejects.toThrow();
    proxy.restore();
    // The lock of the vanished connection ends with it.
    await pool.query(`select pg_terminate_backend(pid) ${CONNECTIONS}`);
    expect(await server.run('a', async () => 'again')).toBe('again');
  } finally {
    await throughProxy.end();
    await proxy.stop();
  }
});
