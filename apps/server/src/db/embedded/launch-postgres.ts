import { open, readFile, rename, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { spawnDetached } from '../../processes/spawn-detached.ts';
import { type Cluster, POSTGRES_ENV, PostgresProblem } from './cluster.ts';
import { readPidFile } from './pid-file.ts';
import { type RunningPostgres, runningPostgres, stopPostgres } from './stop-postgres.ts';

const CHECK_MS = 10;
/** Long enough to recover from a crash. */
const READY_TIMEOUT_MS = 60_000;
const MAX_LOG_BYTES = 1_000_000;

/** Starts Postgres and resolves when it accepts connections. If it rejects, no process is left. */
export async function launchPostgres(
  cluster: Cluster,
  argv: readonly [string, ...string[]],
  signal: AbortSignal,
): Promise<RunningPostgres> {
  const { pid, exited: ended } = await spawnWithLog(cluster, argv);
  const postgres = await runningPostgres(pid);
  if (postgres === undefined) throw await problem(cluster);
  const state = { hasEnded: false };
  void ended.then(() => {
    state.hasEnded = true;
  });
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (!(await isReady(cluster, pid))) {
    if (state.hasEnded) throw await problem(cluster);
    if (signal.aborted || performance.now() > deadline) {
      await stopPostgres(postgres);
      signal.throwIfAborted();
      throw await problem(cluster);
    }
    await delay(CHECK_MS);
  }
  return postgres;
}

async function spawnWithLog(cluster: Cluster, argv: readonly [string, ...string[]]) {
  await rotate(cluster.logFile);
  const output = await open(cluster.logFile, 'a', 0o600);
  const { identity } = cluster;
  try {
    const command = { argv, cwd: '/', env: POSTGRES_ENV, identity };
    return await spawnDetached(command, output.fd);
  } finally {
    await output.close();
  }
}

async function isReady(cluster: Cluster, pid: number): Promise<boolean> {
  const pidFile = await readPidFile(cluster);
  return pidFile?.pid === pid && pidFile.isReady;
}

/** One older log is kept. */
async function rotate(logFile: string): Promise<void> {
  const size = await stat(logFile).then(
    (found) => found.size,
    () => 0,
  );
  if (size > MAX_LOG_BYTES) await rename(logFile, `${logFile}.old`);
}

async function problem(cluster: Cluster): Promise<PostgresProblem> {
  const lines = (await readFile(cluster.logFile, 'utf8')).split('\n');
  const evidence = lines.findLast((line) => /FATAL|PANIC|ERROR/.test(line)) ?? lines.at(-2);
  const withoutTime = evidence?.replace(/^.*?(?=FATAL|PANIC|ERROR)/, '') ?? 'no output';
  return new PostgresProblem(`The database did not start: ${withoutTime} (${cluster.logFile})`);
}
