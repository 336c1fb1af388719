import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/db/test-database.ts';
import { StartProblem } from '../lifecycle/start-problem.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';

const GUEST = `guest_${randomUUID().slice(0, 8)}`;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(migrate);
  await query(`create role ${GUEST} login`);
});
afterAll(async () => {
  await query(`drop role ${GUEST}`);
  await database.drop();
});

async function query(sql: string): Promise<void> {
  const client = new pg.Client(database.connection);
  await client.connect();
  await client.query(sql);
  await client.end();
}

it('reports in one sentence that its user lacks privileges', async () => {
  const { host, database: name } = database.connection;
  const attempt = openDatabase({
    databaseUrl: `postgres://${GUEST}:hunter2@localhost/${name}?host=${encodeURIComponent(host)}`,
    dataDir: '/nonexistent',
    isRoot: false,
    signal: AbortSignal.timeout(10_000),
    prepare: async () => {},
    log: () => {},
    warn: () => {},
    onError: () => {},
  });
  await expect(attempt).rejects.toThrow(StartProblem);
  await expect(attempt).rejects.toThrow(
    /^The user in DATABASE_URL may not create schemas and tables in its database \(42501\)\.$/,
  );
});
