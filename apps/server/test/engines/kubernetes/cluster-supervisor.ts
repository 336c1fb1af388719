import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

export type Argv = [program: string, ...args: string[]];

/** `setUp`: commands that run once, in this order. `programs`: by name. */
export type ClusterPlan = {
  setUp: Argv[];
  programs: Record<string, { argv: Argv; logFile: string }>;
};

const RESTART_MS = 300;

/**
 * Runs the programs of a cluster and restarts those that exit, as an init system does. It is the first process of a pid
 * namespace with mounts of its own: the kernel ends all programs and containers with it, and removes what they mounted. It
 * ends when its input does, so nothing outlives the test process, however that ends.
 */
async function supervise(plan: ClusterPlan): Promise<void> {
  process.stdin.once('end', () => process.exit(0)).resume();
  for (const [program, ...args] of plan.setUp) await promisify(execFile)(program, args);
  await Promise.all(Object.values(plan.programs).map(keepRunning));
}

async function keepRunning({ argv, logFile }: ClusterPlan['programs'][string]): Promise<never> {
  const log = openSync(logFile, 'a');
  const [program, ...args] = argv;
  for (;;) {
    const child = spawn(program, args, { stdio: ['ignore', log, log] });
    await exitOf(child);
    await delay(RESTART_MS);
  }
}

function exitOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) =>
    child.once('exit', () => resolve()).once('error', () => resolve()),
  );
}

if (import.meta.main) {
  const [, , path = ''] = process.argv;
  await supervise(JSON.parse(await readFile(path, 'utf8')) as ClusterPlan);
}
