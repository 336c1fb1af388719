import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { systemClock } from '@longshore/edge-contract';
import { createAppSecrets } from './apps/app-secrets.ts';
import { type Config, readConfig } from './config.ts';
import { dataDirUser } from './data-dir/lock-data-dir.ts';
import { resolveDataDir } from './data-dir/resolve-data-dir.ts';
import { removeEdgeGroup } from './edge/open-edge.ts';
import { stopEdge } from './edge/stop-edge.ts';
import { createDiskRecords } from './engines/disk-records.ts';
import { openEngine } from './engines/open-engine.ts';
import { noSourceCredentials } from './engines/source-credentials.ts';
import { createShutdownHooks } from './lifecycle/shutdown-hooks.ts';
import { StartProblem } from './lifecycle/start-problem.ts';
import { createLogger } from './log/logger.ts';
import { createLogFiles } from './logs/log-files.ts';
import { createLogStore } from './logs/log-store.ts';
import { outputFormat } from './terminal/output-format.mjs';
import { createTerminal, type Terminal } from './terminal/terminal.mjs';
import { openDataDirectory } from './wiring/data-directory.ts';
import { createEngineFactories } from './wiring/engine-factories.ts';

const USAGE = 'Usage: npm run stop [-- --apps]';
const APPS_ARE_SHARED =
  'With LONGSHORE_STATE=shared, another server would start the apps again. Hibernate them in the console, or run this command without --apps.';
const STOP_MS = 60_000;
const CHECK_MS = 50;

await main();

/** Stops the server and the edge, and with `--apps` all apps. */
async function main(): Promise<void> {
  const isTerminal = process.stdout.isTTY === true;
  const terminal = createTerminal({
    format: outputFormat({ environment: process.env, isTerminal }),
    output: (text) => process.stdout.write(text),
  });
  const { print } = terminal;
  try {
    const { apps } = readArguments(process.argv.slice(2));
    const config = readConfig(process.env, process.cwd());
    if (!existsSync(config.dataDir)) throw new StartProblem(`There is no ${config.dataDir}.`);
    if (apps && config.state === 'shared') throw new StartProblem(APPS_ARE_SHARED);
    const isRoot = process.getuid?.() === 0;
    const dataDir = await resolveDataDir({ configuredDir: config.dataDir, isRoot, print() {} });
    const wasServing = await stopServer(dataDir);
    print(wasServing ? 'The server is stopped.' : 'The server was not running.');
    const hadEdge = await stopEdge({ dataDir, keysFolder: join(config.dataDir, 'keys') });
    if (isRoot) await removeEdgeGroup(dataDir);
    print(hadEdge ? 'The edge is stopped.' : 'The edge was not running.');
    if (apps) print(countText(await stopApps(config, { isRoot, terminal })));
    else print('Apps keep running. To stop them too: npm run stop -- --apps');
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${error instanceof StartProblem ? error.message : error}\n`);
  }
}

function readArguments(args: string[]): { apps: boolean } {
  try {
    return parseArgs({ args, options: { apps: { type: 'boolean', default: false } } }).values;
  } catch (cause) {
    throw new StartProblem(USAGE, { cause });
  }
}

async function stopServer(dataDir: string): Promise<boolean> {
  const pid = await dataDirUser(dataDir);
  if (pid === undefined) return false;
  process.kill(pid, 'SIGTERM');
  const until = performance.now() + STOP_MS;
  while ((await dataDirUser(dataDir)) === pid) {
    if (performance.now() > until) {
      throw new StartProblem(`The server, process ${pid}, does not stop.`);
    }
    await delay(CHECK_MS);
  }
  return true;
}

/** Returns how many instances were stopped. The next start of the server starts them again. */
async function stopApps(
  config: Config,
  { isRoot, terminal }: { isRoot: boolean; terminal: Terminal },
): Promise<number> {
  const { format, print, write } = terminal;
  const clock = systemClock;
  const { log, flush } = createLogger({ level: config.logLevel, format, write, clock });
  const logError = (error: unknown) => log.error({ err: error }, 'unexpected error');
  const shutdown = createShutdownHooks(logError);
  const { signal } = new AbortController();
  try {
    const context = { config, isRoot, print, log, shutdown, signal };
    const { dataDir, db, variables, installation } = await openDataDirectory(context);
    const logs = createLogStore({
      storage: createLogFiles(join(config.dataDir, 'logs')),
      clock,
      secretsOf: createAppSecrets({ db, variables }).ofApp,
      report: logError,
    });
    shutdown.add(logs.close);
    const factories = createEngineFactories(config, {
      dataDir,
      isRoot,
      installation,
      records: createDiskRecords(dataDir),
      clock,
      logs,
      logInfo() {},
      logError,
      credentials: noSourceCredentials,
    });
    const { engine } = await openEngine(factories, signal);
    shutdown.add(engine.close);
    let count = 0;
    for (const appId of await engine.listApps(signal)) {
      const { instances } = await engine.observe(appId, signal);
      for (const instance of instances) await engine.stopInstance(appId, instance, signal);
      count += instances.length;
    }
    return count;
  } finally {
    await shutdown.runAll();
    flush();
  }
}

function countText(count: number): string {
  if (count === 0) return 'No app was running.';
  return count === 1 ? 'One app is stopped.' : `${count} apps are stopped.`;
}
