import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/db/test-database.ts';
import { createDatabase, createPool } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { createKeyFolder } from './key-folder.ts';
import type { KeyStore } from './key-store.ts';
import { createKeyTable } from './key-table.ts';
import { Secret } from './secret.ts';

const MASTER_KEY = new Secret('a master key of at least 32 characters');

let database: TestDatabase;
let pool: pg.Pool;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase(migrate);
  pool = createPool(database.connection, () => {});
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  await pool.query('delete from deploy.keys');
  folder = await mkdtemp(join(tmpdir(), 'longshore-keys-'));
  return () => rm(folder, { recursive: true });
});

const keyTable = (masterKey = MASTER_KEY) =>
  createKeyTable({ db: createDatabase(pool), masterKey });

describe.each<[string, () => KeyStore]>([
  ['folder', () => createKeyFolder(folder)],
  ['table', keyTable],
])('a %s of keys', (_, open) => {
  it('creates a key once', async () => {
    expect(await open().read('seal.key')).toBeUndefined();
    expect(await open().loadOrCreate('seal.key', async () => 'first')).toBe('first');
    expect(await open().loadOrCreate('seal.key', async () => 'second')).toBe('first');
    expect(await open().read('seal.key')).toBe('first');
    expect(await open().read('hash.key')).toBeUndefined();
  });

  it('gives everybody who creates a key at the same time the same one', async () => {
    const created = await Promise.all(
      Array.from({ length: 20 }, (_each, at) =>
        open().loadOrCreate('seal.key', async () => String(at)),
      ),
    );
    expect(new Set(created).size).toBe(1);
  });

  it('replaces a key, or keeps it', async () => {
    await open().loadOrCreate('seal.key', async () => 'old');
    expect(await open().update('seal.key', async (text) => `not ${text}`)).toBe('not old');
    expect(await open().update('seal.key', async () => undefined)).toBe('not old');
    expect(await open().read('seal.key')).toBe('not old');
  });

  it('refuses to replace a key that is missing', async () => {
    await expect(open().update('seal.key', async () => 'new')).rejects.toThrow('seal.key');
    expect(await open().read('seal.key')).toBeUndefined();
  });
});

describe('a table of keys', () => {
  it('runs the changes of several servers one after the other', async () => {
    await keyTable().loadOrCreate('ring', async () => '');
    await Promise.all(
      Array.from({ length: 5 }, () => keyTable().update('ring', async (text) => `${text}x`)),
    );
    expect(await keyTable().read('ring')).toBe('xxxxx');
  });

  it('stores no plain text, and decrypts a key only under its name', async () => {
    await keyTable().loadOrCreate('seal.key', async () => 'plain');
    const { rows } = await pool.query('select encrypted from deploy.keys');
    expect(Buffer.from(rows[0].encrypted, 'base64').toString('latin1')).not.toContain('plain');
    await pool.query(`update deploy.keys set name = 'hash.key'`);
    await expect(keyTable().read('hash.key')).rejects.toThrow('moved');
  });

  it('overwrites nothing with another master key', async () => {
    await keyTable().loadOrCreate('seal.key', async () => 'first');
    const other = keyTable(new Secret('another master key of 32 characters'));
    await expect(other.loadOrCreate('seal.key', async () => 'second')).rejects.toThrow();
    await expect(other.update('seal.key', async () => 'second')).rejects.toThrow();
    expect(await keyTable().read('seal.key')).toBe('first');
  });
});
