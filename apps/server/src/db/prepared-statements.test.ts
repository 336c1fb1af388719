import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/db/test-database.ts';
import { migrate } from './migrate.ts';
import { createPreparedStatements } from './prepared-statements.ts';

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
  const connection = createPreparedStatements({ maxStatements: 1 })(await pool.connect());
  const answers: unknown[] = [];
  for (const [text, values] of [
    ['select $1::int as number', [1]],
    ['select $1::int as number', [2]],
    ['select $1::text as word', ['one more']],
    ['select 3 as number', []],
  ] as const) {
    answers.push(...(await connection.query(text, [...values])).rows);
  }
  const { rows } = await connection.query(PREPARED, []);
  connection.release();
  expect(answers).toEqual([{ number: 1 }, { number: 2 }, { word: 'one more' }, { number: 3 }]);
  expect(rows).toEqual([{ statement: 'select $1::int as number', uses: '2' }]);
});

it.each([
  ['the maximum number of statements', { maxStatements: 2 }],
  ['statements of the maximum length together', { maxTotalLength: 60 }],
])('closes a connection that has prepared %s', async (_, limits) => {
  const prepared = createPreparedStatements(limits);
  const pids: unknown[] = [];
  for (const type of ['int', 'bigint', 'smallint']) {
    const connection = prepared(await pool.connect());
    const { rows } = await connection.query(`select pg_backend_pid() as pid, $1::${type}`, [1]);
    pids.push(rows[0].pid);
    connection.release();
  }
  expect(pids[1]).toBe(pids[0]);
  expect(pids[2]).not.toBe(pids[1]);
});

it('does not prepare long statements', async () => {
  const connection = createPreparedStatements()(await pool.connect());
  await connection.query(`select $1::int as long /* ${'x'.repeat(10_000)} */`, [1]);
  const { rows } = await connection.query(PREPARED, []);
  connection.release();
  expect(rows.filter(({ statement }) => statement.includes(' as long '))).toEqual([]);
});

it('shares a connection with other users of prepared statements', async () => {
  const client = await pool.connect();
  const [first, second] = [createPreparedStatements()(client), createPreparedStatements()(client)];
  const answers: unknown[] = [];
  for (const [connection, text] of [
    [first, 'select $1::int as a'],
    [second, 'select $1::int as b'],
    [second, 'select $1::int as a'],
  ] as const) {
    answers.push(...(await connection.query(text, [1])).rows);
  }
  client.release();
  expect(answers).toEqual([{ a: 1 }, { b: 1 }, { a: 1 }]);
});
