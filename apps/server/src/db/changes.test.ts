import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startDatabaseProxy } from '../../test/db/database-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../../test/db/test-database.ts';
import type { Change } from './change.ts';
import { listenToChanges } from './changes.ts';
import { createPool } from './database.ts';
import { migrate } from './migrate.ts';

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase(migrate);
  // Handles errors, unlike a bare pool: the database may be dropped before the last connection has closed.
  pool = createPool(database.connection, () => {});
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function listen(connection = database.connection, limits = {}) {
  const received: Change[] = [];
  const errors: unknown[] = [];
  const changes = await listenToChanges({
    connection,
    limits,
    onError: (error) => void errors.push(error),
  });
  onTestFinished(() => changes.stop());
  changes.listen((change) => void received.push(change));
  const kinds = () => received.map((change) => change.kind);
  return { received, errors, kinds, addListener: changes.listen };
}

async function signUp() {
  const userId = randomUUID();
  await pool.query('insert into auth.users (id) values ($1)', [userId]);
  const { rows } = await pool.query<{ id: string }>(
    "insert into auth.refresh_tokens (user_id, token_hash, expires_at) values ($1, $2, now() + interval '1 day') returning id",
    [userId, Buffer.from(userId)],
  );
  return { userId, sessionId: rows[0]?.id as string };
}

async function insertApp(userId: string): Promise<string> {
  const id = randomUUID();
  await pool.query(
    "insert into public.resources (id, user_id, chart_name, chart_version, values) values ($1, $2, 'longshore-app', '0', '{}')",
    [id, userId],
  );
  return id;
}

describe('a notification', () => {
  it('names the owner of a deleted resource', async () => {
    const { userId } = await signUp();
    const appId = await insertApp(userId);
    const { received } = await listen();
    await pool.query('delete from public.resources where id = $1', [appId]);
    await expect
      .poll(() => received)
      .toContainEqual({ kind: 'rows', change: { table: 'resources', userId } });
  });

  it('names the owner of the app that got a webhook delivery', async () => {
    const { userId } = await signUp();
    const appId = await insertApp(userId);
    const { received } = await listen();
    await pool.query(
      `insert into connect.deliveries (app_id, event, outcome, reason) values ($1, 'push', 'ignored', '')`,
      [appId],
    );
    await expect
      .poll(() => received)
      .toContainEqual({ kind: 'rows', change: { table: 'deliveries', userId } });
  });

  it('names a session that ended', async () => {
    const { userId, sessionId } = await signUp();
    const { received } = await listen();
    await pool.query('delete from auth.refresh_tokens where id = $1', [sessionId]);
    await expect
      .poll(() => received)
      .toEqual([{ kind: 'session-end', end: { userId, sessionId } }]);
  });

  it.each([
    ['disabled', 'update auth.users set disabled = true where id = $1'],
    ['deleted', 'delete from auth.users where id = $1'],
  ])('names a user who is %s', async (_, statement) => {
    const { userId } = await signUp();
    const { received } = await listen();
    await pool.query(statement, [userId]);
    await expect.poll(() => received).toContainEqual({ kind: 'session-end', end: { userId } });
  });

  it('of another program with an invalid payload is reported as an error', async () => {
    const { userId } = await signUp();
    const { kinds, errors } = await listen();
    await pool.query("notify rows, 'nonsense'");
    await insertApp(userId);
    await expect.poll(kinds).toContain('resource');
    expect(errors).toHaveLength(1);
  });
});

it('notifies all listeners although one of them fails', async () => {
  const { userId } = await signUp();
  const { errors, addListener } = await listen();
  const others: Change[] = [];
  addListener(() => {
    throw new Error('not now');
  });
  addListener((change) => void others.push(change));
  await insertApp(userId);
  await expect.poll(() => others.map((change) => change.kind)).toContain('resource');
  expect(errors[0]).toMatchObject({ message: 'not now' });
});

describe('a lost connection', () => {
  it('is replaced, and listeners are notified that changes may be missing', async () => {
    const { userId } = await signUp();
    const proxy = await startDatabaseProxy(database.connection);
    const { kinds } = await listen(proxy.connection);
    onTestFinished(proxy.stop);
    proxy.disconnect();
    await insertApp(userId);
    proxy.restore();
    await expect.poll(kinds).toEqual(['missed']);
    await insertApp(userId);
    await expect.poll(kinds).toContain('resource');
  });

  it('is detected when it does not respond', async () => {
    const { userId } = await signUp();
    const proxy = await startDatabaseProxy(database.connection);
    const limits = { heartbeatMs: 20, responseMs: 100, connectMs: 200 };
    const { kinds, errors } = await listen(proxy.connection, limits);
    onTestFinished(proxy.stop);
    proxy.stall();
    await insertApp(userId);
    await expect.poll(() => errors.length).toBeGreaterThan(0);
    proxy.restore();
    await expect.poll(kinds).toEqual(['missed']);
    await insertApp(userId);
    await expect.poll(kinds).toContain('resource');
  });
});
