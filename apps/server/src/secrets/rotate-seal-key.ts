import { sql, type Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import type { KeyStore } from './key-store.ts';
import { type Seal, sealWith } from './seal.ts';
import { generateSealKey, loadSealKeys, replaceSealKeys, type SealKeys } from './seal-keys.ts';
import { type StoredValue, sealContext } from './sealed-values.ts';

/** What the keys of certificates and of accounts at certificate authorities are sealed for. */
export const certificateKeyContext = (domain: string) => `certificate ${domain}`;
export const accountKeyContext = (directory: string) => `certificate authority ${directory}`;

/** Every column that contains encrypted secrets. A test compares it with the database schema. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'auth.users', column: 'totp_secret' },
  { table: 'auth.provider_sessions', column: 'sealed_tokens' },
  { table: 'connect.secrets', column: 'sealed' },
  {
    table: 'deploy.sealed_values',
    column: 'sealed',
    contextOf: ({ owner_id: ownerId, ...row }) =>
      sealContext({ ...(row as StoredValue), ownerId: String(ownerId) }),
  },
  {
    table: 'deploy.acme_accounts',
    column: 'sealed_key',
    contextOf: ({ directory }) => accountKeyContext(String(directory)),
  },
  {
    table: 'deploy.certificates',
    column: 'sealed_key',
    contextOf: ({ domain }) => certificateKeyContext(String(domain)),
  },
  {
    table: 'deploy.certificates',
    column: 'sealed_order_key',
    contextOf: ({ domain }) => certificateKeyContext(String(domain)),
  },
];

/** `contextOf`: what a row was sealed for. */
type SealedColumn = { table: string; column: string; contextOf?: (row: Row) => string };

type Row = Record<string, unknown>;

/**
 * Replaces the encryption key and re-encrypts all secrets. During the rotation the key file contains both keys. After a
 * crash, all secrets can still be decrypted, and the next run continues with the same new key. Returns the number of
 * re-encrypted secrets.
 */
export async function rotateSealKey({
  db,
  keyStore,
}: {
  db: Database;
  keyStore: KeyStore;
}): Promise<number> {
  const keys = nextKeys(await loadSealKeys(keyStore));
  await replaceSealKeys(keyStore, keys);
  const seal = sealWith(keys);
  const resealed = await db.transaction().execute(async (tx) => {
    let count = 0;
    for (const column of SEALED_COLUMNS) count += await reseal(tx, column, seal);
    return count;
  });
  await replaceSealKeys(keyStore, [keys[0]]);
  return resealed;
}

/** There are already two keys if an earlier run was interrupted. */
function nextKeys(keys: SealKeys): SealKeys {
  return keys.length > 1 ? keys : [generateSealKey(), ...keys];
}

async function reseal(
  tx: Transaction<Schema>,
  { table, column, contextOf = () => '' }: SealedColumn,
  seal: Seal,
): Promise<number> {
  const [rows, sealed] = [sql.table(table), sql.ref(column)];
  const found = await sql<{ rowId: string; sealed: string; row: Row }>`
    select ctid::text as "rowId", ${sealed} as sealed, to_jsonb(sealing) - ${column}::text as row
    from ${rows} as sealing where ${sealed} is not null for update
  `.execute(tx);
  for (const { rowId, sealed: before, row } of found.rows) {
    const context = contextOf(row);
    const after = seal.encrypt(decrypt(seal, before, { table, context }), context);
    await sql`update ${rows} set ${sealed} = ${after} where ctid = ${rowId}::tid`.execute(tx);
  }
  return found.rows.length;
}

function decrypt(
  seal: Seal,
  sealed: string,
  { table, context }: { table: string; context: string },
) {
  try {
    return seal.decrypt(sealed, context);
  } catch (cause) {
    throw new Error(`A secret in ${table} was sealed with a key that is missing`, { cause });
  }
}
