import { sql, type Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { type Seal, sealWith } from './seal.ts';
import { generateSealKey, loadSealKeys, replaceSealKeys, type SealKeys } from './seal-keys.ts';

/** Every column that contains encrypted secrets. A test compares it with the database schema. */
export const SEALED_COLUMNS = [
  { table: 'auth.users', column: 'totp_secret' },
  { table: 'auth.provider_sessions', column: 'sealed_tokens' },
  { table: 'connect.secrets', column: 'sealed' },
] as const;

/**
 * Replaces the encryption key and re-encrypts all secrets. During the rotation the key file contains both keys. After a
 * crash, all secrets can still be decrypted, and the next run continues with the same new key. Returns the number of
 * re-encrypted secrets.
 */
export async function rotateSealKey({
  db,
  keysFolder,
}: {
  db: Database;
  keysFolder: string;
}): Promise<number> {
  const keys = nextKeys(await loadSealKeys(keysFolder));
  await replaceSealKeys(keysFolder, keys);
  const seal = sealWith(keys);
  const resealed = await db.transaction().execute(async (tx) => {
    let count = 0;
    for (const column of SEALED_COLUMNS) count += await reseal(tx, column, seal);
    return count;
  });
  await replaceSealKeys(keysFolder, [keys[0]]);
  return resealed;
}

/** There are already two keys if an earlier run was interrupted. */
function nextKeys(keys: SealKeys): SealKeys {
  return keys.length > 1 ? keys : [generateSealKey(), ...keys];
}

async function reseal(
  tx: Transaction<Schema>,
  { table, column }: (typeof SEALED_COLUMNS)[number],
  seal: Seal,
): Promise<number> {
  const [rows, sealed] = [sql.table(table), sql.ref(column)];
  const found = await sql<{ rowId: string; sealed: string }>`
    select ctid::text as "rowId", ${sealed} as sealed from ${rows} where ${sealed} is not null for update
  `.execute(tx);
  for (const row of found.rows) {
    const resealed = seal.encrypt(decrypt(seal, row.sealed, table));
    await sql`update ${rows} set ${sealed} = ${resealed} where ctid = ${row.rowId}::tid`.execute(
      tx,
    );
  }
  return found.rows.length;
}

function decrypt(seal: Seal, sealed: string, table: string) {
  try {
    return seal.decrypt(sealed);
  } catch (cause) {
    throw new Error(`A secret in ${table} was sealed with a key that is missing`, { cause });
  }
}
