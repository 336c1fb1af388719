import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/db/test-database.ts';
import { migrate } from '../db/migrate.ts';
import type { ServersLock } from '../db/servers-lock.ts';
import { createShutdownHooks } from '../lifecycle/shutdown-hooks.ts';
import { rotateSealKey } from '../secrets/rotate-seal-key.ts';
import { loadSealKeys } from '../secrets/seal-keys.ts';
import { Secret } from '../secrets/secret.ts';
import { openDataDirectory } from './data-directory.ts';

let database: TestDatabase;
let dataDir: string;
beforeEach(async () => {
  database = await createTestDatabase(migrate);
  dataDir = await mkdtemp(join(tmpdir(), 'longshore-data-'));
});
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await database.drop();
  await rm(dataDir, { recursive: true });
});

async function query(sql: string): Promise<{ env: unknown }[]> {
  const client = new pg.Client(database.connection);
  await client.connect();
  const { rows } = await client.query(sql).finally(() => client.end());
  return rows;
}

type Options = { dataDir: string; state?: string; masterKey?: Secret; serversLock?: ServersLock };

async function open({ serversLock, ...config }: Options) {
  const { host, user: role, database: name } = database.connection;
  const databaseUrl = `postgres://${role}@localhost/${name}?host=${encodeURIComponent(host)}`;
  const shutdown = createShutdownHooks((error) => expect.unreachable(String(error)));
  stops.push(shutdown.runAll);
  const opened = await openDataDirectory({
    config: { databaseUrl, ...config },
    isRoot: false,
    print: vi.fn(),
    log: { info: vi.fn(), warn: vi.fn() },
    shutdown,
    signal: AbortSignal.timeout(60_000),
    ...(serversLock && { serversLock }),
  } as unknown as Parameters<typeof openDataDirectory>[0]).catch(async (error) => {
    await shutdown.runAll();
    throw error;
  });
  return { ...opened, stop: shutdown.runAll };
}

describe('with shared state', () => {
  const state = 'shared';
  const masterKey = new Secret('a master key of at least 32 characters');
  const openShared = (name: string, change: Partial<Options> = {}) =>
    open({ dataDir: join(dataDir, name), state, masterKey, ...change });
  beforeEach(async () => {
    for (const name of ['a', 'b', 'c']) await mkdir(join(dataDir, name));
  });

  it('gives servers that start at once the same keys', async () => {
    const servers = await Promise.all(['a', 'b', 'c'].map((name) => openShared(name)));
    const keys = await Promise.all(servers.map((server) => loadSealKeys(server.keys)));
    expect(keys).toEqual([keys[0], keys[0], keys[0]]);
    expect(await readdir(join(dataDir, 'a'))).not.toContain('keys');
  });

  it('refuses another master key', async () => {
    await openShared('a');
    const other = { masterKey: new Secret('another master key of 32 characters') };
    await expect(openShared('b', other)).rejects.toThrow('LONGSHORE_MASTER_KEY does not fit');
  });

  it('lets the key be rotated only while no server runs', async () => {
    const server = await openShared('a');
    const rotating = { serversLock: 'exclusive' } as const;
    await expect(openShared('b', rotating)).rejects.toThrow('Servers are running');
    await server.stop();
    const command = await openShared('b', rotating);
    await expect(openShared('a')).rejects.toThrow('being rotated');
    const [before] = await loadSealKeys(command.keys);
    await rotateSealKey({ db: command.db, keyStore: command.keys });
    await command.stop();
    const [after] = await loadSealKeys((await openShared('a')).keys);
    expect(after).not.toEqual(before);
  });
});

it('encrypts nothing in the database of another data directory', async () => {
  const [user, env] = [randomUUID(), { TOKEN: 'plain' }];
  await query(`insert into auth.users (id) values ('${user}')`);
  await query(
    `insert into public.resources (user_id, chart_name, chart_version, values)
     values ('${user}', 'longshore-app', '0.0', '${JSON.stringify({ env })}')`,
  );
  await writeFile(join(dataDir, 'installation'), randomUUID());
  const attempt = open({ dataDir });
  await expect(attempt).rejects.toThrow('DATABASE_URL names another database');
  expect(await query(`select values -> 'env' as env from public.resources`)).toEqual([{ env }]);
});
