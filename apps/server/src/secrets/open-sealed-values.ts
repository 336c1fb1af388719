import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { StartProblem } from '../lifecycle/start-problem.ts';
import type { KeyStore } from './key-store.ts';
import { SEALED_COLUMNS } from './rotate-seal-key.ts';
import { createSeal } from './seal.ts';
import { HASH_KEY_FILE, loadHashKey, SEAL_KEY_FILE } from './seal-keys.ts';
import { createSealedValues, type SealedValues, type StoredValue } from './sealed-values.ts';

/** One damaged row must not prevent the start. */
const CHECKED_ROWS = 20;

/**
 * Opens the store of sealed values with the keys of this installation. A missing key is created only as long as nothing is
 * sealed; keys that do not fit the database are refused.
 */
export async function openSealedValues(db: Database, keys: KeyStore): Promise<SealedValues> {
  await requireKey(db, keys, SEAL_KEY_FILE);
  await requireKey(db, keys, HASH_KEY_FILE);
  const seal = await createSeal(keys);
  const sealedValues = createSealedValues({ seal, hashKey: await loadHashKey(keys) });
  await requireMatchingKeys(db, keys, sealedValues);
  return sealedValues;
}

async function requireKey(db: Database, keys: KeyStore, name: string): Promise<void> {
  if ((await keys.read(name)) !== undefined) return;
  for (const { table, column } of SEALED_COLUMNS) {
    // The hash key is only for the values of this table.
    if (name === HASH_KEY_FILE && table !== 'deploy.sealed_values') continue;
    const { rows } = await sql`
      select from ${sql.table(table)} where ${sql.ref(column)} is not null limit 1
    `.execute(db);
    if (rows.length > 0) throw missingKey(keys.describe(name));
  }
}

async function requireMatchingKeys(
  db: Database,
  keys: KeyStore,
  sealedValues: SealedValues,
): Promise<void> {
  const { rows } = await sql<StoredValue>`
    select owner_id as "ownerId", purpose, name, hash from deploy.sealed_values limit ${CHECKED_ROWS}
  `.execute(db);
  if (rows.length === 0) return;
  const values = await sealedValues.read(db, rows);
  const readable = rows.flatMap((row, at) => {
    const value = values[at];
    return value === undefined ? [] : [{ ...row, value }];
  });
  if (readable.length === 0) throw wrongKey(keys.describe(SEAL_KEY_FILE));
  if (readable.every((row) => sealedValues.hashOf(row) !== row.hash)) {
    throw wrongKey(keys.describe(HASH_KEY_FILE));
  }
}

function missingKey(key: string): StartProblem {
  return new StartProblem(
    `${key} is missing, but the database contains secrets that are encrypted with it. Restore it from your backup.`,
  );
}

function wrongKey(key: string): StartProblem {
  return new StartProblem(
    `${key} does not fit the database: its secrets were encrypted with another key. Restore the one that belongs to this database.`,
  );
}
