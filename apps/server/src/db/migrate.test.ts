import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { createTestDatabase } from '../../test/db/test-database.ts';
import { createPool, type DatabaseLimits } from './database.ts';
import { migrate } from './migrate.ts';

it('has migrations numbered from 1 without gaps or duplicates', async () => {
  const names = (await readdir(join(import.meta.dirname, 'migrations'))).sort();
  expect(names.map((name) => Number(name.split('-', 1)))).toEqual(names.map((_, at) => at + 1));
});

const USAGE = '0033-usage.sql';

/** A database without what the migration of the usage created. */
async function openWithoutUsage(limits: DatabaseLimits): Promise<pg.Pool> {
  const database = await createTestDatabase(migrate);
  const pool = createPool(database.connection, () => {}, limits);
  onTestFinished(async () => {
    await pool.end();
    await database.drop();
  });
  await pool.query(`
    drop view deploy.traffic;
    drop table deploy.usage, deploy.traffic_quarters;
    drop function deploy.notify_metrics cascade;
    delete from public.longshore_migrations where name = '${USAGE}'`);
  return pool;
}

it('sums a week of requests of ten busy apps per quarter of an hour', async () => {
  const pool = await openWithoutUsage({ connectMs: 5_000, queryMs: 60_000, statementMs: 60_000 });
  await pool.query(`
    with owner as (insert into auth.users (id) values (gen_random_uuid()) returning id), apps as (
      insert into public.resources (user_id, chart_name, chart_version, values)
      select id, 'longshore-app', '0.0', '{}' from owner, generate_series(1, 10) returning id
    )
    insert into deploy.traffic_minutes
    select
      id, timestamptz '2026-01-01T00:00Z' + minute * interval '1 minute',
      case when minute < 15 then '{}' when minute % 2 = 0 then '{1,2}' else '{1,2,3}' end::bigint[],
      array_fill(1, array[12]), 10, 100
    from apps, generate_series(0, 10079) as minute`);
  expect(await migrate(pool)).toEqual([USAGE]);
  const { rows } = await pool.query(`
    select count(distinct app_id)::int as apps, count(*)::int as quarters, statuses, latencies, bytes_in, bytes_out
    from deploy.traffic_quarters
    where extract(minute from minute) in (0, 15, 30, 45)
    group by statuses, latencies, bytes_in, bytes_out order by statuses`);
  const sums = { apps: 10, latencies: Array(12).fill('15'), bytes_in: '150', bytes_out: '1500' };
  expect(rows).toEqual([
    { ...sums, quarters: 10, statuses: [] },
    { ...sums, quarters: 3_350, statuses: ['15', '30', '21'] },
    { ...sums, quarters: 3_360, statuses: ['15', '30', '24'] },
  ]);
}, 60_000);

it('may take longer than the query of a user', async () => {
  const pool = await openWithoutUsage({ connectMs: 5_000, queryMs: 2_000, statementMs: 2_000 });
  await pool.query(`
    create function public.sleep() returns event_trigger language plpgsql as $$
    begin perform pg_sleep(3); end $$;
    create event trigger slow on ddl_command_start when tag in ('CREATE VIEW')
    execute function public.sleep()`);
  expect(await migrate(pool)).toEqual([USAGE]);
  const { rows } = await pool.query('show statement_timeout');
  expect(rows).toEqual([{ statement_timeout: '2s' }]);
});

it('waits for another server that migrates for longer than the query of a user may take', async () => {
  const pool = await openWithoutUsage({ connectMs: 5_000, queryMs: 2_000, statementMs: 2_000 });
  const other = await pool.connect();
  await other.query('select pg_advisory_lock(5317401)');
  const migrating = migrate(pool).catch((error: unknown) => error);
  await delay(2_500);
  await other.query('select pg_advisory_unlock(5317401)');
  other.release();
  expect(await migrating).toEqual([USAGE]);
  expect((await pool.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '2s' }]);
});
