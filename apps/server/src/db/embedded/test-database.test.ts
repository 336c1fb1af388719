import pg from 'pg';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/db/test-database.ts';
import { migrate } from '../migrate.ts';

async function tables(connection: pg.ClientConfig): Promise<string[]> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  await client.query('create table left_by_a_test ()');
  await client.end();
  return rows.map((row) => row.name);
}

it('gives each test file a separate migrated database', async () => {
  const first = await createTestDatabase(migrate);
  const second = await createTestDatabase(migrate);
  const names = await tables(first.connection);
  expect(names).toContain('resources');
  expect(await tables(second.connection)).toEqual(names);
  await first.drop();
  await second.drop();
  await expect(tables(first.connection)).rejects.toThrow(/does not exist/);
});
