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
  // Listens to errors, unlike a bare pool: the database may be dropped while the last connection says goodbye.
  pool = createPool(database.connection, () => {});
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function hear(connection = database.connection, limits = {}) {
  const told: Change[] = [];
  const errors: unknown[] = [];
  const changes = await listenToChanges({
    connection,
    limits,
    onError: (error) => void errors.push(error),
  });
  onTestFinished(() => changes.stop());
  changes.listen((change) => void told.push(change));
  const kinds = () => told.map((change) => change.kind);
  return { told, errors, kinds, listen: changes.listen };
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

describe('what is told', () => {
  it('names the owner of a resource that is gone', async () => {
    const { userId } = await signUp();
    const appId = await insertApp(userId);
    const { told } = await hear();
    await pool.query('delete from public.resources where id = $1', [appId]);
    await expect
      .poll(() => told)
      .toContainEqual({ kind: 'rows', change: { table: 'resources', userId } });
  });

  it('names a session that is over', async () => {
    const { userId, sessionId } = await signUp();
    const { told } = await hear();
    await pool.query('delete from auth.refresh_tokens where id = $1', [sessionId]);
    await expect.poll(() => told).toEqual([{ kind: 'session-end', end: { userId, sessionId } }]);
  });

  it.each([
    ['disabled', 'update auth.users set disabled = true where id = $1'],
    ['gone', 'delete from auth.users where id = $1'],
  ])('names a user who is %s', async (_, statement) => {
    const { userId } = await signUp();
    const { told } = await hear();
    await pool.query(statement, [userId]);
    await expect.poll(() => told).toContainEqual({ kind: 'session-end', end: { userId } });
  });

  it('is not disturbed by what others write to our channels', async () => {
    const { userId } = await signUp();
    const { kinds, errors } = await hear();
    await pool.query("notify rows, 'nonsense'");
    await insertApp(userId);
    await expect.poll(kinds).toContain('resource');
    expect(errors).toHaveLength(1);
  });
});

it('tells the others although one who listens fails', async () => {
  const { userId } = await signUp();
  const { errors, listen } = await hear();
  const heard: Change[] = [];
  listen(() => {
    throw new Error('not now');
  });
  listen((change) => void heard.push(change));
  await insertApp(userId);
  await expect.poll(() => heard.map((change) => change.kind)).toContain('resource');
  expect(errors[0]).toMatchObject({ message: 'not now' });
});

describe('a lost connection', () => {
  it('is repaired when it was cut, and everybody is told to look again', async () => {
    const { userId } = await signUp();
    const proxy = await startDatabaseProxy(database.connection);
    const { kinds } = await hear(proxy.connection);
    onTestFinished(proxy.stop);
    proxy.disconnect();
    await insertApp(userId);
    proxy.restore();
    await expect.poll(kinds).toEqual(['missed']);
    await insertApp(userId);
    await expect.poll(kinds).toContain('resource');
  });

  it('is noticed when nothing says so, because it does not answer', async () => {
    const { userId } = await signUp();
    const proxy = await startDatabaseProxy(database.connection);
    const limits = { heartbeatMs: 20, answerMs: 100, connectMs: 200 };
    const { kinds, errors } = await hear(proxy.connection, limits);
    onTestFinished(proxy.stop);
    proxy.stall();
    await insertApp(userId);
    await expect.poll(() => errors.length).toBeGreaterThan(0);
    proxy.restore();
    await expect.poll(kinds, { timeout: 5_000 }).toEqual(['missed']);
    await insertApp(userId);
    await expect.poll(kinds).toContain('resource');
  });
});
