import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/db/test-database.ts';
import { createDatabase, createPool, type Database } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { createKeyFolder } from './key-folder.ts';
import type { KeyStore } from './key-store.ts';
import {
  accountKeyContext,
  certificateKeyContext,
  rotateSealKey,
  SEALED_COLUMNS,
} from './rotate-seal-key.ts';
import { createSeal } from './seal.ts';
import { generateSealKey, loadHashKey, loadSealKeys, replaceSealKeys } from './seal-keys.ts';
import { createSealedValues, type PlainValue } from './sealed-values.ts';
import { Secret } from './secret.ts';

let database: TestDatabase;
let pool: pg.Pool;
let db: Database;
let keysFolder: string;
let keyStore: KeyStore;

beforeEach(async () => {
  database = await createTestDatabase(migrate);
  pool = createPool(database.connection, () => {});
  db = createDatabase(pool);
  keysFolder = await mkdtemp(join(tmpdir(), 'longshore-rotate-'));
  keyStore = createKeyFolder(keysFolder);
});
afterEach(async () => {
  await pool.end();
  await database.drop();
  await rm(keysFolder, { recursive: true });
});

/** Stores one secret in every sealed column. */
async function storeSecrets(): Promise<void> {
  const seal = await createSeal(keyStore);
  const [user, integration] = [randomUUID(), randomUUID()];
  await pool.query('insert into auth.users (id, totp_secret) values ($1, $2)', [
    user,
    seal.encrypt(new Secret('auth.users')),
  ]);
  await pool.query('insert into auth.users (id) values ($1)', [randomUUID()]);
  await pool.query(`insert into auth.provider_sessions values ($1, 'gitlab', $2, now())`, [
    user,
    seal.encrypt(new Secret('auth.provider_sessions')),
  ]);
  await pool.query(
    `insert into public.resources (id, user_id, chart_name, chart_version, values)
     values ($1, $2, 'credential', '0.0', '{}')`,
    [integration, user],
  );
  await pool.query(`insert into connect.secrets values ($1, 'account', $2)`, [
    integration,
    seal.encrypt(new Secret('connect.secrets')),
  ]);
  await pool.query(`insert into deploy.acme_accounts values ('https://ca.example', $1)`, [
    seal.encrypt(new Secret('deploy.acme_accounts'), accountKeyContext('https://ca.example')),
  ]);
  const certificateKey = () =>
    seal.encrypt(new Secret('deploy.certificates'), certificateKeyContext('shop.example'));
  await pool.query(
    `insert into deploy.certificates (domain, chain, sealed_key, not_after, order_id, sealed_order_key)
     values ('shop.example', 'chain', $1, now(), 1, $2)`,
    [certificateKey(), certificateKey()],
  );
  const sealedValues = await openSealedValues();
  await sealedValues.store(db, [{ ...VARIABLE, ownerId: integration }]);
  variable = { ...VARIABLE, ownerId: integration };
}

const VARIABLE = { purpose: 'variable', name: 'TOKEN', value: 'deploy.sealed_values' } as const;
let variable: PlainValue;

async function openSealedValues() {
  const hashKey = await loadHashKey(keyStore);
  return createSealedValues({ seal: await createSeal(keyStore), hashKey });
}

type SealedText = { sealed: string; context: string };

async function sealedTexts(): Promise<SealedText[]> {
  const texts: SealedText[] = [];
  for (const { table, column, contextOf = () => '' } of SEALED_COLUMNS) {
    const { rows } = await pool.query(`select * from ${table} where ${column} is not null`);
    texts.push(...rows.map((row) => ({ sealed: row[column], context: contextOf(row) })));
  }
  return texts;
}

async function decryptedTexts(): Promise<string[]> {
  const seal = await createSeal(keyStore);
  return (await sealedTexts()).map(({ sealed, context }) => seal.decrypt(sealed, context).reveal());
}

const ALL: string[] = SEALED_COLUMNS.map(({ table }) => table);

it('re-encrypts all secrets with a new key and removes the old one', async () => {
  await storeSecrets();
  const [oldKey] = await loadSealKeys(keyStore);
  const before = await sealedTexts();
  expect(await rotateSealKey({ db, keyStore })).toBe(ALL.length);
  expect(await decryptedTexts()).toEqual(ALL);
  for (const text of before) expect(await sealedTexts()).not.toContainEqual(text);
  expect(await readFile(join(keysFolder, 'seal.key'), 'utf8')).not.toContain(
    oldKey.toString('hex'),
  );
});

it('changes no hash of a value, so that no app looks edited', async () => {
  await storeSecrets();
  const hash = (await openSealedValues()).hashOf(variable);
  await rotateSealKey({ db, keyStore });
  const rotated = await openSealedValues();
  expect(rotated.hashOf(variable)).toBe(hash);
  expect(await rotated.read(db, [{ ...variable, hash }])).toEqual([variable.value]);
});

it('completes a run that was interrupted before the secrets were re-encrypted', async () => {
  await storeSecrets();
  const [oldKey] = await loadSealKeys(keyStore);
  const newKey = generateSealKey();
  await replaceSealKeys(keyStore, [newKey, oldKey]);
  expect(await decryptedTexts()).toEqual(ALL);
  await rotateSealKey({ db, keyStore });
  expect(await loadSealKeys(keyStore)).toEqual([newKey]);
  expect(await decryptedTexts()).toEqual(ALL);
});

it('completes a run that was interrupted after the secrets were re-encrypted', async () => {
  await storeSecrets();
  const [oldKey] = await loadSealKeys(keyStore);
  await rotateSealKey({ db, keyStore });
  const [newKey] = await loadSealKeys(keyStore);
  await replaceSealKeys(keyStore, [newKey, oldKey]);
  await rotateSealKey({ db, keyStore });
  expect(await loadSealKeys(keyStore)).toEqual([newKey]);
  expect(await decryptedTexts()).toEqual(ALL);
});

it('keeps the old key when a secret cannot be decrypted', async () => {
  await storeSecrets();
  const [oldKey] = await loadSealKeys(keyStore);
  await pool.query(`update connect.secrets set sealed = 'broken'`);
  await expect(rotateSealKey({ db, keyStore })).rejects.toThrow('connect.secrets');
  expect(await loadSealKeys(keyStore)).toContainEqual(oldKey);
  await pool.query('delete from connect.secrets');
  expect(await decryptedTexts()).toEqual(ALL.filter((table) => table !== 'connect.secrets'));
});

it('covers every sealed column of the schema', async () => {
  const { rows } = await pool.query<{ column: string }>(
    `select table_schema || '.' || table_name || '.' || column_name as column
     from information_schema.columns where column_name like '%sealed%'`,
  );
  const coveredColumns = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  expect(coveredColumns).toEqual(expect.arrayContaining(rows.map((row) => row.column)));
});
