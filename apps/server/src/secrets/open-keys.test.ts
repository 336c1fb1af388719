import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/db/test-database.ts';
import { createDatabase, createPool, type Database } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { openKeys } from './open-keys.ts';
import { createSeal } from './seal.ts';
import { Secret } from './secret.ts';

let database: TestDatabase;
let pool: pg.Pool;
let db: Database;
let folder: string;
beforeEach(async () => {
  database = await createTestDatabase(migrate);
  pool = createPool(database.connection, () => {});
  db = createDatabase(pool);
  folder = await mkdtemp(join(tmpdir(), 'longshore-keys-'));
});
afterEach(async () => {
  await pool.end();
  await database.drop();
  await rm(folder, { recursive: true });
});

const local = (keysFolder = folder) => openKeys({ db, masterKey: undefined, folder: keysFolder });
const shared = (masterKey = 'a master key of at least 32 characters', keysFolder = folder) =>
  openKeys({
    db,
    masterKey: new Secret(masterKey),
    folder: keysFolder,
  });

it('stores nothing in Postgres with local state', async () => {
  await createSeal(await local());
  expect(await readdir(folder)).toEqual(['seal.key']);
  expect((await pool.query('select from deploy.keys')).rowCount).toBe(0);
});

it('stores nothing in the data directory with shared state', async () => {
  await createSeal(await shared());
  expect(await readdir(folder)).toEqual([]);
});

it('imports the keys of the data directory, so that sealed values stay readable', async () => {
  const sealed = (await createSeal(await local())).encrypt(new Secret('hunter2'));
  await writeFile(join(folder, 'seal.key.0a1b2c3d4e5f'), 'of an interrupted start');
  const keys = await shared();
  expect((await createSeal(keys)).decrypt(sealed).reveal()).toBe('hunter2');
  const { rows } = await pool.query('select name from deploy.keys');
  expect(rows).toEqual([{ name: 'seal.key' }]);
});

it('imports nothing when Postgres has keys already', async () => {
  await (await shared(undefined, join(folder, 'other'))).loadOrCreate(
    'seal.key',
    async () => 'own',
  );
  await writeFile(join(folder, 'seal.key'), 'of a data directory');
  await writeFile(join(folder, 'hash.key'), 'of a data directory');
  const keys = await shared();
  expect(await keys.read('seal.key')).toBe('own');
  expect(await keys.read('hash.key')).toBeUndefined();
});

it('refuses a wrong master key and changes nothing', async () => {
  await (await shared()).loadOrCreate('seal.key', async () => 'own');
  await expect(shared('another master key of 32 characters')).rejects.toThrow(
    'LONGSHORE_MASTER_KEY does not fit the database',
  );
  expect(await (await shared()).read('seal.key')).toBe('own');
});

it('refuses local state when the keys are in Postgres', async () => {
  await createSeal(await shared());
  await expect(local()).rejects.toThrow('Set LONGSHORE_STATE=shared');
});
