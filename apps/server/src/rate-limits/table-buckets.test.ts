import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/db/test-database.ts';
import { createDatabase, createPool } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { createBuckets } from './buckets.ts';
import { createTableBuckets } from './table-buckets.ts';

const ONCE = { capacity: 1, windowMs: 60_000 };

let database: TestDatabase;
let pool: pg.Pool;
let errors: unknown[];
beforeAll(async () => {
  database = await createTestDatabase(migrate);
  pool = createPool(database.connection, () => {});
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  errors = [];
  await pool.query('delete from deploy.rate_limits');
});

type Options = Omit<Parameters<typeof createTableBuckets>[0], 'db' | 'logError'>;

function open(options: Options = {}) {
  const logError = (error: unknown) => void errors.push(error);
  return createTableBuckets({ db: createDatabase(pool), logError, ...options });
}

/** Old buckets are removed in the background, at most once per request. */
async function countAfter(taken: unknown): Promise<number | null> {
  await taken;
  return (await pool.query('select from deploy.rate_limits')).rowCount;
}

it('counts the requests of all servers together', async () => {
  const [first, second] = [open()('auth'), open()('auth')];
  const limit = { capacity: 10, windowMs: 3_600_000 };
  const verdicts = await Promise.all(
    Array.from({ length: 30 }, (_, at) => (at % 2 ? first : second).take('ada', limit)),
  );
  expect(verdicts.filter(({ isAllowed }) => isAllowed)).toHaveLength(10);
  await second.refund('ada', limit);
  expect(await first.take('ada', limit)).toEqual({ isAllowed: true });
  const refused = await second.take('ada', limit);
  expect(refused).toMatchObject({ isAllowed: false, retryAfterMs: expect.any(Number) });
});

it('keeps the keys of different scopes apart', async () => {
  expect(await open()('auth').take('ada', ONCE)).toEqual({ isAllowed: true });
  expect(await open()('connect').take('ada', ONCE)).toEqual({ isAllowed: true });
  expect(await open()('auth').take('ada', ONCE)).toMatchObject({ isAllowed: false });
});

it('decides like the buckets in memory', async () => {
  const step = fc.record({
    elapsedMs: fc.integer({ min: -20_000, max: 90_000 }),
    isRefund: fc.boolean(),
  });
  const limits = fc.record({
    capacity: fc.integer({ min: 1, max: 5 }),
    windowMs: fc.integer({ min: 1_000, max: 120_000 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), limits, async (steps, limit) => {
      const clock = { at: 1_000_000, now: () => clock.at };
      const [table, memory] = [open({ clock })('auth'), createBuckets({ clock })];
      const key = randomUUID();
      for (const { elapsedMs, isRefund } of steps) {
        clock.at += elapsedMs;
        if (isRefund) {
          await table.refund(key, limit);
          memory.refund(key, limit);
        } else {
          const { isAllowed, ...rest } = memory.take(key, limit);
          const expected =
            'retryAfterMs' in rest ? { isAllowed, retryAfterMs: rest.retryAfterMs } : { isAllowed };
          expect(await table.take(key, limit)).toEqual(expected);
        }
      }
    }),
    { numRuns: 50 },
  );
  expect(errors).toEqual([]);
});

it('removes full buckets', async () => {
  const clock = { at: 0, now: () => clock.at };
  const buckets = open({ clock, limits: { removeEveryMs: 0 } })('auth');
  for (const key of ['a', 'b', 'c']) await buckets.take(key, ONCE);
  await buckets.refund('c', ONCE);
  await expect.poll(() => countAfter(buckets.take('d', ONCE))).toBe(3);
  clock.at = 60_000;
  await expect.poll(() => countAfter(buckets.take('e', ONCE))).toBe(1);
});

it('drops the buckets that would be full first above the maximum', async () => {
  const buckets = open({ limits: { removeEveryMs: 0, maxBuckets: 2 } })('auth');
  await buckets.take('long', { capacity: 1, windowMs: 3_600_000 });
  for (const key of ['a', 'b', 'c']) await buckets.take(key, { ...ONCE, capacity: 10 });
  const takeAnother = () => buckets.take('d', { ...ONCE, capacity: 10 });
  await expect.poll(() => countAfter(takeAnother())).toBeLessThanOrEqual(3);
  expect(await buckets.take('long', { capacity: 1, windowMs: 3_600_000 })).toMatchObject({
    isAllowed: false,
  });
});

it('allows nothing when Postgres fails, and reports a refund that is lost', async () => {
  const buckets = open()('auth');
  await pool.query('alter table deploy.rate_limits rename to missing');
  try {
    await expect(buckets.take('ada', ONCE)).rejects.toThrow('deploy.rate_limits');
    await buckets.refund('ada', ONCE);
    expect(errors).toHaveLength(1);
  } finally {
    await pool.query('alter table deploy.missing rename to rate_limits');
  }
});

it('reports old buckets that could not be removed, and still decides', async () => {
  await pool.query(`
    create function refuse() returns trigger language plpgsql as
      $$ begin raise 'no delete'; end $$;
    create trigger refuse before delete on deploy.rate_limits execute function refuse()`);
  try {
    const buckets = open({ limits: { removeEveryMs: 0 } })('auth');
    expect(await buckets.take('ada', ONCE)).toEqual({ isAllowed: true });
    await expect.poll(() => errors).not.toEqual([]);
    expect(await buckets.take('ada', ONCE)).toMatchObject({ isAllowed: false });
  } finally {
    await pool.query('drop function refuse cascade');
  }
});
