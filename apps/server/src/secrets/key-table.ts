import { hkdfSync } from 'node:crypto';
import type { Database } from '../db/database.ts';
import type { KeyStore } from './key-store.ts';
import { sealWith } from './seal.ts';
import { Secret } from './secret.ts';

type KeyTableDeps = { db: Database; masterKey: Secret };

const KEY_BYTES = 32;

/** Keys in Postgres, for several servers. Each is encrypted for its name. */
export function createKeyTable({ db, masterKey }: KeyTableDeps): KeyStore {
  const { encrypt, decrypt } = sealForKeys(masterKey);
  const describe = (name: string) => `The key ${name} in Postgres`;
  return {
    isShared: true,
    read,
    async loadOrCreate(name, create) {
      const existing = await read(name);
      if (existing !== undefined) return existing;
      const text = await create();
      await db
        .insertInto('deploy.keys')
        .values({ name, encrypted: encrypt(name, text) })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
      return (await read(name)) ?? text;
    },
    update: (name, change) =>
      db.transaction().execute(async (tx) => {
        const row = await rowOf(tx, name).forUpdate().executeTakeFirst();
        if (row === undefined) throw new Error(`${describe(name)} is missing`);
        const text = decrypt(name, row.encrypted);
        const changed = await change(text);
        if (changed === undefined) return text;
        const encrypted = encrypt(name, changed);
        await tx.updateTable('deploy.keys').set({ encrypted }).where('name', '=', name).execute();
        return changed;
      }),
    describe,
  };

  async function read(name: string): Promise<string | undefined> {
    const row = await rowOf(db, name).executeTakeFirst();
    return row && decrypt(name, row.encrypted);
  }
}

/** Encrypts the keys of `deploy.keys` with a key derived from the master key. */
export function sealForKeys(masterKey: Secret) {
  const derived = hkdfSync('sha256', masterKey.reveal(), '', 'longshore keys', KEY_BYTES);
  const seal = sealWith([Buffer.from(derived)]);
  return {
    encrypt: (name: string, text: string) => seal.encrypt(new Secret(text), name),
    decrypt: (name: string, encrypted: string) => seal.decrypt(encrypted, name).reveal(),
  };
}

function rowOf(db: Database, name: string) {
  return db.selectFrom('deploy.keys').select('encrypted').where('name', '=', name);
}
