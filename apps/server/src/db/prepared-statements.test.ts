import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/db/test-database.ts';
import { migrate } from './migrate.ts';
import { withPreparedStatements } from './prepared-statements.ts';

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase(migrate);
  // A single connection, so that its prepared statements can be listed.
  pool = new pg.Pool({ ...database.connection, max: 1 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const PREPARED =
  'select statement, generic_plans + custom_plans as uses from pg_prepared_statements';

it('prepares each statement once, up to a maximum number', async () => {
  const client = await withPreparedStatements(pool, { maxStatements: 1 }).connect();
  const answers: unknown[] = [];
  for (const [text, values] of [
    ['select $1::int as number', [1]],
    ['select $1::int as number', [2]],
    ['select $1::text as word', ['one more']],
    ['select 3 as number', []],
  ] as const) {
    answers.push(...(await client.query(text, values)).rows);
  }
  client.release();
  expect(answers).toEqual([{ number: 1 }, { number: 2 }, { word: 'one more' }, { number: 3 }]);
  const { rows } = await pool.query(PREPARED);
  expect(rows).toEqual([{ statement: 'select $1::int as number', uses: '2' }]);
});
