import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/db/test-database.ts';
import { createDatabase, createPool } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import { createKeyFolder } from '../../secrets/key-folder.ts';
import type { KeyStore } from '../../secrets/key-store.ts';
import { createKeyTable } from '../../secrets/key-table.ts';
import { Secret } from '../../secrets/secret.ts';
import { createAccessTokens } from '../access-token.ts';
import type { UserRow } from '../users.ts';
import { loadAuthKeys } from './keys.ts';
import { generateSigningKey } from './signing-key.ts';

const DAY = 86_400_000;
const USER = { id: 'u-1', default_role: 'user', roles: ['user'], is_anonymous: false } as UserRow;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-keys-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function start(atDay: number, store: KeyStore = createKeyFolder(folder)) {
  const clock = { day: atDay, now: () => clock.day * DAY };
  const keys = await loadAuthKeys({ store, clock });
  const ttlSeconds = 90 * 86_400;
  const accessTokens = createAccessTokens({ keys, issuer: 'us', ttlSeconds, clock });
  const keyIds = async () => (await keys.publicJwks()).map(({ kid }) => kid);
  return { clock, keys, accessTokens, keyIds };
}

it('signs with the same key after a restart', async () => {
  const first = await start(0);
  const token = first.accessTokens.sign(USER);
  const second = await start(29);
  expect(await second.keyIds()).toEqual(await first.keyIds());
  expect(await second.accessTokens.verify(token)).toMatchObject({ kind: 'valid' });
});

it('rotates an old key when the server starts', async () => {
  const before = await (await start(0)).keyIds();
  const after = await (await start(30)).keyIds();
  expect(after).toHaveLength(2);
  expect(after[1]).toBe(before[0]);
});

it('verifies with the current and the previous key only', async () => {
  const { clock, keys, accessTokens, keyIds } = await start(0);
  const token = accessTokens.sign(USER);
  clock.day = 30;
  await keys.rotateIfDue();
  expect(await accessTokens.verify(token)).toMatchObject({ kind: 'valid' });
  expect(await accessTokens.verify(accessTokens.sign(USER))).toMatchObject({ kind: 'valid' });
  clock.day = 60;
  await keys.rotateIfDue();
  expect(await accessTokens.verify(token)).toEqual({ kind: 'forged' });
  expect(await keyIds()).toHaveLength(2);
});

it('does nothing when rotation is not due', async () => {
  const { keys, keyIds } = await start(0);
  const before = await keyIds();
  await keys.rotateIfDue();
  expect(await keyIds()).toEqual(before);
});

it('imports the single key of an earlier version', async () => {
  const jwk = await generateSigningKey();
  await writeFile(join(folder, 'access-token.jwk'), JSON.stringify(jwk));
  const { keys } = await start(0);
  expect(await keys.publicJwks()).toEqual([expect.objectContaining({ x: jwk.x, y: jwk.y })]);
});

it('publishes no private key, and makes its files readable by the owner only', async () => {
  await start(0);
  const { keys } = await start(30);
  for (const jwk of await keys.publicJwks()) expect(jwk).not.toHaveProperty('d');
  const names = await readdir(folder);
  expect(names.sort()).toEqual(['refresh-token.key', 'signing-keys.json']);
  for (const name of names) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(join(folder, 'signing-keys.json'), 'utf8'))).toHaveLength(2);
});

describe('with keys that several servers share', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  beforeEach(async () => {
    database = await createTestDatabase(migrate);
    pool = createPool(database.connection, () => {});
    return async () => {
      await pool.end();
      await database.drop();
    };
  });
  const masterKey = new Secret('a master key of at least 32 characters');
  const startShared = (atDay: number) =>
    start(atDay, createKeyTable({ db: createDatabase(pool), masterKey }));

  it('starts several servers at once with the same keys', async () => {
    const servers = await Promise.all([startShared(0), startShared(0), startShared(0)]);
    const keyIds = await Promise.all(servers.map((server) => server.keyIds()));
    expect(keyIds).toEqual([keyIds[0], keyIds[0], keyIds[0]]);
    expect(new Set(servers.map(({ keys }) => keys.refreshKey.reveal())).size).toBe(1);
  });

  it('rotates once, and accepts a token of a key that another server has just created', async () => {
    const [first, second] = [await startShared(0), await startShared(0)];
    const old = second.accessTokens.sign(USER);
    first.clock.day = 30;
    await first.keys.rotateIfDue();
    const token = first.accessTokens.sign(USER);
    expect(await second.accessTokens.verify(token)).toMatchObject({ kind: 'valid' });
    expect(await first.accessTokens.verify(old)).toMatchObject({ kind: 'valid' });
    second.clock.day = 30;
    await second.keys.rotateIfDue();
    expect(await second.keyIds()).toEqual(await first.keyIds());
    expect(await second.keyIds()).toHaveLength(2);
  });

  it('reads the keys once for many tokens with unknown key ids', async () => {
    const server = await startShared(0);
    const other = await start(0);
    const reads: unknown[] = [];
    pool.on('acquire', (client) => reads.push(client));
    const forged = Array.from({ length: 50 }, () => other.accessTokens.sign(USER));
    const kinds = await Promise.all(forged.map((token) => server.accessTokens.verify(token)));
    expect(kinds).toEqual(forged.map(() => ({ kind: 'forged' })));
    expect(reads.length).toBeLessThan(5);
  });

  it('does not call a token forged when the keys cannot be read', async () => {
    const server = await startShared(0);
    const token = (await start(0)).accessTokens.sign(USER);
    await pool.query('alter table deploy.keys rename to missing');
    await expect(server.accessTokens.verify(token)).rejects.toThrow('deploy.keys');
  });
});
