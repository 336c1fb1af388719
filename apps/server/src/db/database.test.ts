import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPool } from './database.ts';
import { createTestDatabase, type TestDatabase } from './embedded/test-database.ts';
import { migrate } from './migrate.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(migrate);
});
afterAll(() => database.drop());

it('outlives a connection that the database ends while a query uses it', async () => {
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
