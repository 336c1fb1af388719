import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/db/test-database.ts';
import { listenToChanges } from './changes.ts';
import { createDatabase, createPool } from './database.ts';
import { isAnswering } from './is-answering.ts';
import { migrate } from './migrate.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(migrate);
});
afterAll(() => database.drop());

it('survives a connection that the database ends during a query', async () => {
  const pool = createPool(database.connection, () => {});
  const client = await pool.connect();
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const ended = new Promise((resolve) => client.once('end', resolve));
  const sleeping = expect(client.query('select pg_sleep(60)')).rejects.toThrow('terminat');
  await pool.query('select pg_terminate_backend($1)', [rows[0].pid]);
  await sleeping;
  await ended;
  client.release(true);
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await pool.end();
});

it('times out if the database does not respond', async () => {
  const connection = { connectionString: await silentDatabase() };
  const limits = { connectMs: 200, queryMs: 200 };
  const pool = createPool(connection, () => {}, limits);
  await expect(pool.query('select 1')).rejects.toThrow('timeout');
  await expect(listenToChanges({ connection, onError() {}, limits })).rejects.toThrow('timeout');
  await pool.end();
});

it('times out a slow query', async () => {
  const pool = createPool(database.connection, () => {}, { connectMs: 5_000, queryMs: 200 });
  await expect(pool.query('select pg_sleep(2)')).rejects.toThrow('timeout');
  await pool.end();
});

it('does not reuse a connection whose query timed out', async () => {
  const pool = createPool(database.connection, () => {}, { connectMs: 5_000, queryMs: 200 });
  const client = await pool.connect();
  const { rows } = await client.query('select pg_backend_pid() as pid');
  await expect(client.query('select pg_sleep(5)')).rejects.toThrow('timeout');
  client.release();
  const next = await pool.query('select pg_backend_pid() as pid');
  expect(next.rows[0].pid).not.toBe(rows[0].pid);
  await pool.end();
});

it('reuses a connection after a result and after an error', async () => {
  const pool = createPool(database.connection, () => {});
  const pids = new Set<number>();
  for (const statement of ['select 1', 'select nonsense', 'select 2']) {
    const client = await pool.connect();
    await client.query(statement).catch(() => {});
    const { rows } = await client.query('select pg_backend_pid() as pid');
    pids.add(rows[0].pid);
    client.release();
  }
  expect(pids.size).toBe(1);
  await pool.end();
});

/** Accepts connections and never responds. */
async function silentDatabase(): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `postgres://nobody@127.0.0.1:${(server.address() as AddressInfo).port}/none`;
}

it('reports in time whether the database answers', async () => {
  const answering = createPool(database.connection, () => {});
  const silent = createPool({ connectionString: await silentDatabase() }, () => {}, {
    connectMs: 200,
    queryMs: 200,
  });
  onTestFinished(async () => {
    await Promise.all([answering.end(), silent.end()]);
  });
  expect(await isAnswering(createDatabase(answering), 60_000)).toBe(true);
  expect(await isAnswering(createDatabase(silent))).toBe(false);
  expect(await isAnswering(createDatabase(silent), 1)).toBe(false);
});
