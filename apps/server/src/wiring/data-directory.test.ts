import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/db/test-database.ts';
import { migrate } from '../db/migrate.ts';
import { createShutdownHooks } from '../lifecycle/shutdown-hooks.ts';
import { openDataDirectory } from './data-directory.ts';

let database: TestDatabase;
let dataDir: string;
beforeEach(async () => {
  database = await createTestDatabase(migrate);
  dataDir = await mkdtemp(join(tmpdir(), 'longshore-data-'));
});
afterEach(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true });
});

async function query(sql: string): Promise<{ env: unknown }[]> {
  const client = new pg.Client(database.connection);
  await client.connect();
  const { rows } = await client.query(sql).finally(() => client.end());
  return rows;
}

it('encrypts nothing in the database of another data directory', async () => {
  const [user, env] = [randomUUID(), { TOKEN: 'plain' }];
  await query(`insert into auth.users (id) values ('${user}')`);
  await query(
    `insert into public.resources (user_id, chart_name, chart_version, values)
     values ('${user}', 'longshore-app', '0.0', '${JSON.stringify({ env })}')`,
  );
  await writeFile(join(dataDir, 'installation'), randomUUID());
  const { host, user: role, database: name } = database.connection;
  const databaseUrl = `postgres://${role}@localhost/${name}?host=${encodeURIComponent(host)}`;
  const shutdown = createShutdownHooks((error) => expect.unreachable(String(error)));
  const log = { info: vi.fn(), warn: vi.fn() };
  const context = {
    config: { dataDir, databaseUrl },
    isRoot: false,
    print: vi.fn(),
    log,
    shutdown,
  };
  const attempt = openDataDirectory({
    ...context,
    signal: AbortSignal.timeout(60_000),
  } as unknown as Parameters<typeof openDataDirectory>[0]);
  await expect(attempt).rejects.toThrow('DATABASE_URL names another database');
  await shutdown.runAll();
  expect(await query(`select values -> 'env' as env from public.resources`)).toEqual([{ env }]);
});
