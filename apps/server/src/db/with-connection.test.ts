import { eventually } from '@longshore/testkit';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/db/test-database.ts';
import { createPool } from './database.ts';
import { migrate } from './migrate.ts';
import { createWithConnection, type WithConnection } from './with-connection.ts';

let database: TestDatabase;
let pool: pg.Pool;
let withConnection: WithConnection;
beforeAll(async () => {
  database = await createTestDatabase(migrate);
  pool = createPool(database.connection, () => {});
  withConnection = createWithConnection(pool);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const NEVER = new AbortController().signal;

async function sleepers(): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(
    "select count(*) from pg_stat_activity where query like '%pg_sleep%' and state = 'active' and pid <> pg_backend_pid() and datname = current_database()",
  );
  return Number(rows[0]?.count);
}

const sleep = (signal: AbortSignal) =>
  withConnection(signal, (db) => sql`select pg_sleep(60)`.execute(db));

it('releases the connection', async () => {
  for (let round = 0; round < 20; round += 1) {
    await withConnection(NEVER, (db) => sql`select 1`.execute(db));
  }
  expect(pool.totalCount).toBe(1);
  expect(pool.idleCount).toBe(1);
});

it('rolls back a transaction whose work fails', async () => {
  const failing = withConnection(NEVER, (db) =>
    db.transaction().execute(async (tx) => {
      await sql`create table half (id int)`.execute(tx);
      throw new Error('in the middle');
    }),
  );
  await expect(failing).rejects.toThrow('in the middle');
  const { rows } = await pool.query("select to_regclass('half') as half");
  expect(rows).toEqual([{ half: null }]);
});

it('cancels running statements on abort, even if the whole pool is busy', async () => {
  const abort = new AbortController();
  const sleeping = Array.from({ length: 8 }, () => sleep(abort.signal));
  const outcome = Promise.allSettled(sleeping);
  await eventually(() => pool.totalCount - pool.idleCount === 8, 'all connections');
  abort.abort(new Error('aborted'));
  const reasons = (await outcome).map((each) => each.status === 'rejected' && each.reason.message);
  expect(new Set(reasons)).toEqual(new Set(['aborted']));
  expect(await sleepers()).toBe(0);
});

it('does not start after an abort', async () => {
  const work = sleep(AbortSignal.abort(new Error('too late')));
  await expect(work).rejects.toThrow('too late');
});
