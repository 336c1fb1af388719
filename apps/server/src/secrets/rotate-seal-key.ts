import { sql, type Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { type Seal, sealWith } from './seal.ts';
import { loadSealKeys, makeSealKey, replaceSealKeys, type SealKeys } from './seal-keys.ts';
import { SEALED_COLUMNS } from './sealed-columns.ts';

/**
 * Puts a new key in the place of the one that seals. In between, both lie in the key file, and each opens what it
 * closed: whenever this is cut off nothing is lost, and the next run goes on with the same new key. Answers how many
 * secrets were sealed anew.
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
    for (const place of SEALED_COLUMNS) count += await reseal(tx, place, seal);
    return count;
  });
  await replaceSealKeys(keysFolder, [keys[0]]);
  return resealed;
}

/** Two keys are there when an earlier run was cut off. */
function nextKeys(keys: SealKeys): SealKeys {
  return keys.length > 1 ? keys : [makeSealKey(), ...keys];
}

async function reseal(
  tx: Transaction<Schema>,
  { table, column }: (typeof SEALED_COLUMNS)[number],
  seal: Seal,
): Promise<number> {
  const [rows, sealed] = [sql.table(table), sql.ref(column)];
  const found = await sql<{ place: string; sealed: string }>`
    select ctid::text as place, ${sealed} as sealed from ${rows} where ${sealed} is not null for update
  `.execute(tx);
  for (const row of found.rows) {
    const closed = seal.close(opened(seal, row.sealed, table));
    await sql`update ${rows} set ${sealed} = ${closed} where ctid = ${row.place}::tid`.execute(tx);
  }
  return found.rows.length;
}

function opened(seal: Seal, sealed: string, table: string) {
  try {
    return seal.open(sealed);
  } catch (cause) {
    throw new Error(`A secret in ${table} was sealed with a key that is not there`, { cause });
  }
}
