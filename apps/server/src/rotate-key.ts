import { join } from 'node:path';
import { systemClock } from './clock.ts';
import { readConfig } from './config.ts';
import { createLogger } from './log/logger.ts';
import { rotateSealKey } from './secrets/rotate-seal-key.ts';
import { StartProblem } from './start-problem.ts';
import { createStoppers } from './stoppers.ts';
import { openGround } from './wiring/ground.ts';

await main();

/** Seals every secret in the database with a new key. The server must not run: it knows the old key only. */
async function main(): Promise<void> {
  const config = readConfig(process.env, process.cwd());
  const { log, flush } = createLogger({
    level: config.logLevel,
    output: process.stdout,
    clock: systemClock,
  });
  const started = createStoppers((error) => log.error({ err: error }, 'something went wrong'));
  const isRoot = process.getuid?.() === 0;
  const { signal } = new AbortController();
  try {
    const { db } = await openGround({ config, isRoot, print, log, started, signal });
    const count = await rotateSealKey({ db, keysFolder: join(config.dataDir, 'keys') });
    print(`The key was replaced, and ${count} secret(s) sealed with the new one.`);
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${error instanceof StartProblem ? error.message : error}\n`);
  } finally {
    await started.stopAll();
    flush();
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
