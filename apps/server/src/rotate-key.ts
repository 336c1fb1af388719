import { systemClock } from '@longshore/edge-contract';
import { readConfig } from './config.ts';
import { discardOldRows } from './db/discard-old-rows.ts';
import { createShutdownHooks } from './lifecycle/shutdown-hooks.ts';
import { StartProblem } from './lifecycle/start-problem.ts';
import { createLogger } from './log/logger.ts';
import { rotateSealKey, SEALED_COLUMNS } from './secrets/rotate-seal-key.ts';
import { outputFormat } from './terminal/output-format.mjs';
import { createTerminal } from './terminal/terminal.mjs';
import { openDataDirectory } from './wiring/data-directory.ts';

await main();

/** Re-encrypts every secret in the database with a new key. No server may be running: it has the old key only. */
async function main(): Promise<void> {
  const config = readConfig(process.env, process.cwd());
  const isTerminal = process.stdout.isTTY === true;
  const { print, write, format } = createTerminal({
    format: outputFormat({ environment: process.env, isTerminal }),
    output: (text) => process.stdout.write(text),
  });
  const { log, flush } = createLogger({
    level: config.logLevel,
    format,
    write,
    clock: systemClock,
  });
  const shutdown = createShutdownHooks((error) => log.error({ err: error }, 'unexpected error'));
  const isRoot = process.getuid?.() === 0;
  const { signal } = new AbortController();
  try {
    const { db, pool, keys } = await openDataDirectory({
      config,
      isRoot,
      print,
      log,
      shutdown,
      signal,
      serversLock: 'exclusive',
    });
    const count = await rotateSealKey({ db, keyStore: keys });
    // Texts that the old key decrypts must not stay in the files of the database.
    const tables = SEALED_COLUMNS.map(({ table }) => table);
    await discardOldRows(pool, { tables, isEmbedded: config.databaseUrl === undefined });
    print(`Key rotated: ${count} secret(s) re-encrypted with the new key.`);
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${error instanceof StartProblem ? error.message : error}\n`);
  } finally {
    await shutdown.runAll();
    flush();
  }
}
