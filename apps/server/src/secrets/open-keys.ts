import { readdir } from 'node:fs/promises';
import type { Database } from '../db/database.ts';
import { StartProblem } from '../lifecycle/start-problem.ts';
import { readKeyFile } from './key-file.ts';
import { createKeyFolder } from './key-folder.ts';
import type { KeyStore } from './key-store.ts';
import { createKeyTable } from './key-table.ts';
import { UnreadableSecret } from './seal.ts';
import type { Secret } from './secret.ts';

type OpenKeysDeps = {
  db: Database;
  /** Of shared state. */
  masterKey: Secret | undefined;
  /** The keys of the data directory. */
  folder: string;
};

/** Excludes temporary files of an interrupted start. */
const KEY_FILE = /^[a-z-]+\.(?:key|jwk|json)$/;

/**
 * Opens the keys of this installation. With shared state, those of a data directory move to Postgres if it has none yet, so
 * that an installation can become one with several servers. Runs under the lock of the migrations.
 */
export async function openKeys({ db, masterKey, folder }: OpenKeysDeps): Promise<KeyStore> {
  const files = createKeyFolder(folder);
  const names = (await db.selectFrom('deploy.keys').select('name').execute()).map(
    ({ name }) => name,
  );
  if (masterKey === undefined) {
    if (names.length > 0) throw new StartProblem(SHARED_KEYS);
    return files;
  }
  const keys = createKeyTable({ db, masterKey });
  if (names.length === 0) {
    await db.transaction().execute((tx) => importKeys(createKeyTable({ db: tx, masterKey })));
  }
  await requireReadable(keys, names);
  return keys;

  async function importKeys(table: KeyStore): Promise<void> {
    for (const [name, text] of await readKeyFolder(folder)) {
      await table.loadOrCreate(name, async () => text);
    }
  }
}

const SHARED_KEYS =
  'The keys of this installation are in its database, encrypted with a master key. Set LONGSHORE_STATE=shared and LONGSHORE_MASTER_KEY.';
const WRONG_MASTER_KEY =
  'LONGSHORE_MASTER_KEY does not fit the database: its keys were encrypted with another master key. Set the one that belongs to this database.';

async function requireReadable(keys: KeyStore, names: string[]): Promise<void> {
  for (const name of names) {
    await keys.read(name).catch((error) => {
      if (!(error instanceof UnreadableSecret)) throw error;
      throw new StartProblem(WRONG_MASTER_KEY, { cause: error });
    });
  }
}

/** All keys of a data directory by their names. */
export async function readKeyFolder(folder: string): Promise<Map<string, string>> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const keys = new Map<string, string>();
  for (const name of names.filter((each) => KEY_FILE.test(each))) {
    const text = await readKeyFile(folder, name);
    if (text !== undefined) keys.set(name, text);
  }
  return keys;
}
