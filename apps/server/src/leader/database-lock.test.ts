import pg from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startDatabaseProxy } from '../../test/db/database-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../../test/db/test-database.ts';
import { createDatabase, createPool } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabaseLock } from './database-lock.ts';
import {
  publishLeaderAddress,
  readLeaderAddress,
  withdrawLeaderAddress,
} from './leader-address.ts';
import { becomeOnlyServer } from './only-server.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(migrate);
});
afterAll(async () => {
  await database.drop();
});

async function openLock(connection = database.connection, limits = {}) {
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const lock = await openDatabaseLock({ connection, onError, limits });
  onTestFinished(lock.close);
  return { ...lock, errors };
}

it('is taken by one server, and by the next when that one closes it', async () => {
  const [first, second] = [await openLock(), await openLock()];
  expect(await first.tryTake()).toBe(true);
  expect(await second.tryTake()).toBe(false);
  await first.close();
  await expect.poll(second.tryTake).toBe(true);
  expect(second.lost.aborted).toBe(false);
});

it('is lost when the database ends the connection', async () => {
  const lock = await openLock();
  expect(await lock.tryTake()).toBe(true);
  const client = new pg.Client(database.connection);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'longshore leader' and datname = current_database()",
  );
  await expect.poll(() => lock.lost.aborted).toBe(true);
});

it('is lost when the database does not answer', async () => {
  const proxy = await startDatabaseProxy(database.connection);
  onTestFinished(proxy.stop);
  const lock = await openLock(proxy.connection, { heartbeatMs: 10, responseMs: 2_000 });
  expect(await lock.tryTake()).toBe(true);
  expect(lock.lost.aborted).toBe(false);
  proxy.stall();
  await expect.poll(() => lock.lost.aborted).toBe(true);
  expect(lock.errors).toHaveLength(1);
});

it('lets a server refuse to start beside another one', async () => {
  const { signal } = new AbortController();
  const deps = { connection: database.connection, onError: () => {}, signal };
  const first = await becomeOnlyServer(deps);
  onTestFinished(first.stop);
  await expect(becomeOnlyServer({ ...deps, waitMs: 50 })).rejects.toThrow(
    'Another Longshore already uses the database in DATABASE_URL. Several servers need LONGSHORE_STATE=shared.',
  );
  await first.stop();
  const next = await becomeOnlyServer(deps);
  await next.stop();
});

it('is lost by a process that is frozen', async () => {
  const lock = await openLock(database.connection, { heartbeatMs: 600_000 });
  await lock.query("set idle_session_timeout = '50ms'", []);
  await expect.poll(() => lock.lost.aborted).toBe(true);
});

it('stores the address of the leader with a new term each time, and none after the last one', async () => {
  const pool = createPool(database.connection, () => {});
  onTestFinished(() => pool.end());
  const db = createDatabase(pool);
  const lock = await openLock();
  expect(await readLeaderAddress(db)).toBeUndefined();
  await publishLeaderAddress(lock, '192.0.2.7:1337');
  expect(await readLeaderAddress(db)).toEqual({ address: '192.0.2.7:1337', term: 1 });
  await publishLeaderAddress(lock, '192.0.2.8:1337');
  expect(await readLeaderAddress(db)).toEqual({ address: '192.0.2.8:1337', term: 2 });
  await withdrawLeaderAddress(lock);
  expect(await readLeaderAddress(db)).toBeUndefined();
  await publishLeaderAddress(lock, '192.0.2.9:1337');
  expect(await readLeaderAddress(db)).toEqual({ address: '192.0.2.9:1337', term: 3 });
});
