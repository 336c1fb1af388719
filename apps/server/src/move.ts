import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { systemClock } from '@longshore/edge-contract';
import { readConfig } from './config.ts';
import { createShutdownHooks } from './lifecycle/shutdown-hooks.ts';
import { StartProblem } from './lifecycle/start-problem.ts';
import { createLogger } from './log/logger.ts';
import { describeMove } from './move/describe-move.ts';
import { moveInstallation } from './move/move-installation.ts';
import { readMoveTarget } from './move/move-target.ts';
import { outputFormat } from './terminal/output-format.mjs';
import { createTerminal } from './terminal/terminal.mjs';
import { openDataDirectory } from './wiring/data-directory.ts';

const USAGE = 'Usage: npm run move -- <file with the settings of the target>';

await main();

/**
 * Copies this installation to the shared state of other servers. Its own server must be stopped. Of the installation, only the
 * database changes: missing migrations run.
 */
async function main(): Promise<void> {
  const isTerminal = process.stdout.isTTY === true;
  const { print, write, format } = createTerminal({
    format: outputFormat({ environment: process.env, isTerminal }),
    output: (text) => process.stdout.write(text),
  });
  const shutdown = createShutdownHooks((error) => process.stderr.write(`${error}\n`));
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => interrupted.abort(new StartProblem(INTERRUPTED)));
  }
  try {
    const path = readArguments(process.argv.slice(2));
    const config = readConfig(process.env, process.cwd());
    const { log, flush } = createLogger({
      level: config.logLevel,
      format,
      write,
      clock: systemClock,
    });
    shutdown.add(async () => flush());
    if (config.state === 'shared') throw new StartProblem(ALREADY_SHARED);
    if (!existsSync(config.dataDir)) throw new StartProblem(`There is no ${config.dataDir}.`);
    const target = await readMoveTarget(path);
    const isRoot = process.getuid?.() === 0;
    const { signal } = interrupted;
    const {
      connection,
      installation,
      dataDir: uploadsDir,
    } = await openDataDirectory({
      config,
      isRoot,
      print,
      log,
      shutdown,
      signal,
    });
    const { dataDir, s3 } = config;
    const source = { connection, installation, dataDir, uploadsDir, s3 };
    for (const line of describeMove(await moveInstallation(source, target, signal))) print(line);
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${error instanceof StartProblem ? error.message : error}\n`);
  } finally {
    await shutdown.runAll();
  }
}

const ALREADY_SHARED =
  'This installation already shares its state: its servers can run elsewhere with the same settings.';
const INTERRUPTED =
  'Interrupted. The database of the target is still empty; run the command again.';

function readArguments(args: string[]): string {
  try {
    const { positionals } = parseArgs({ args, allowPositionals: true });
    const [path, ...rest] = positionals;
    if (path !== undefined && rest.length === 0) return path;
  } catch (cause) {
    throw new StartProblem(USAGE, { cause });
  }
  throw new StartProblem(USAGE);
}
