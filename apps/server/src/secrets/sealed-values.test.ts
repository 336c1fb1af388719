import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/db/test-database.ts';
import { createDatabase, createPool, type Database } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { sealWith } from './seal.ts';
import { generateSealKey } from './seal-keys.ts';
import { createSealedValues, type PlainValue } from './sealed-values.ts';

let database: TestDatabase;
let pool: pg.Pool;
let db: Database;
let [ada, eve] = ['', ''];

beforeAll(async () => {
  database = await createTestDatabase(migrate);
  pool = createPool(database.connection, () => {});
  db = createDatabase(pool);
  const user = randomUUID();
  await pool.query('insert into auth.users (id) values ($1)', [user]);
  [ada, eve] = [await addResource(user), await addResource(user)];
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function addResource(user: string): Promise<string> {
  const { rows } = await pool.query(
    `insert into public.resources (user_id, chart_name, chart_version, values)
     values ($1, 'project', '0.0', '{}') returning id`,
    [user],
  );
  return rows[0].id;
}

const sealKeys = [generateSealKey()] as const;
const hashKey = randomBytes(32);
/** Each one has its own cache, like a server after a restart. */
const open = (keys: { sealKeys?: readonly [Buffer]; hashKey?: Buffer } = {}) =>
  createSealedValues({
    seal: sealWith(keys.sealKeys ?? sealKeys),
    hashKey: keys.hashKey ?? hashKey,
  });

const plain = (value: string, changes: Partial<PlainValue> = {}): PlainValue => ({
  ...{ purpose: 'variable', ownerId: ada, name: 'TOKEN', value },
  ...changes,
});

async function store(...values: PlainValue[]) {
  await open().store(db, values);
  return values.map(({ value: _, ...name }, at) => ({
    ...name,
    hash: open().hashOf(values[at] as PlainValue),
  }));
}

describe('the hash', () => {
  it('is equal exactly for equal names and values', () => {
    const [value, others] = [
      open().hashOf(plain('a')),
      [
        plain('b'),
        plain('a', { name: 'KEY' }),
        plain('a', { ownerId: eve }),
        plain('","a', { name: 'TOKEN' }),
      ].map(open().hashOf),
    ];
    expect(open().hashOf(plain('a'))).toBe(value);
    expect(new Set([value, ...others]).size).toBe(5);
    expect(open({ hashKey: randomBytes(32) }).hashOf(plain('a'))).not.toBe(value);
  });
});

describe('a stored value', () => {
  it('is read with a new cache, in the order of the request, and from the cache', async () => {
    const stored = await store(plain('one'), plain('two'), plain(''), plain('ünï\n"'));
    const reopened = open();
    expect(await reopened.read(db, stored.toReversed())).toEqual(['ünï\n"', '', 'two', 'one']);
    await pool.query('delete from deploy.sealed_values');
    expect(await reopened.read(db, stored)).toEqual(['one', 'two', '', 'ünï\n"']);
    expect(await open().read(db, stored)).toEqual(Array(4).fill(undefined));
  });

  it('may look like a hash, and is sealed like any other', async () => {
    const [secret] = await store(plain('secret'));
    const [copy] = await store(plain(secret?.hash ?? '', { name: 'COPY' }));
    if (copy === undefined || secret === undefined) throw new Error('Nothing was stored');
    expect(copy.hash).not.toBe(secret.hash);
    expect(await open().read(db, [copy])).toEqual([secret.hash]);
  });

  it.each<[string, (hash: string) => string]>([
    ['another owner', () => `update deploy.sealed_values set owner_id = '${eve}'`],
    ['another name', () => `update deploy.sealed_values set name = 'OTHER'`],
    ['the hash of another value', (hash) => `update deploy.sealed_values set hash = '${hash}'`],
  ])('is not readable for %s', async (_, move) => {
    await pool.query('delete from deploy.sealed_values');
    await store(plain('secret'));
    await pool.query(move(open().hashOf(plain('other'))));
    const { rows } = await pool.query('select * from deploy.sealed_values');
    const [{ owner_id: ownerId, purpose, name, hash }] = rows;
    expect(await open().read(db, [{ ownerId, purpose, name, hash }])).toEqual([undefined]);
  });

  it('is not readable with another key, and does not prevent others from being read', async () => {
    await open({ sealKeys: [generateSealKey()] }).store(db, [plain('sealed with another key')]);
    const [readable] = await store(plain('readable'));
    const name = plain('');
    const hash = open().hashOf(plain('sealed with another key'));
    const values = await open().read(db, [{ ...name, hash }, readable ?? { ...name, hash }]);
    expect(values).toEqual([undefined, 'readable']);
  });

  it('can be stored by several transactions at once, in any order', async () => {
    const values = Array.from({ length: 40 }, (_, at) => plain('same', { name: `NAME_${at}` }));
    await store(...values);
    for (let round = 0; round < 10; round += 1) {
      await Promise.all([values, values.toReversed()].map((each) => open().store(db, each)));
    }
    expect(await open().read(db, await store(...values))).toEqual(values.map(() => 'same'));
  });

  it('is used again after it was marked as unused', async () => {
    await store(plain('again'));
    await pool.query('update deploy.sealed_values set unused_since = now()');
    await store(plain('again'));
    const hash = open().hashOf(plain('again'));
    const { rows } = await pool.query(
      'select unused_since from deploy.sealed_values where hash = $1',
      [hash],
    );
    expect(rows).toEqual([{ unused_since: null }]);
  });
});
