import { discardOldRows } from './db/discard-old-rows.ts';
import { type CommandContext, runCommand } from './lifecycle/run-command.ts';
import { rotateSealKey, SEALED_COLUMNS } from './secrets/rotate-seal-key.ts';
import { openDataDirectory } from './wiring/data-directory.ts';

await runCommand(rotateKey);

/** Re-encrypts every secret in the database with a new key. No server may be running: it has the old key only. */
async function rotateKey(context: CommandContext): Promise<void> {
  const opened = await openDataDirectory({ ...context, serversLock: 'exclusive' });
  const { db, pool, keys } = opened;
  const count = await rotateSealKey({ db, keyStore: keys });
  // Texts that the old key decrypts must not stay in the files of the database.
  const tables = SEALED_COLUMNS.map(({ table }) => table);
  await discardOldRows(pool, { tables, isEmbedded: context.config.databaseUrl === undefined });
  context.print(`Key rotated: ${count} secret(s) re-encrypted with the new key.`);
}
