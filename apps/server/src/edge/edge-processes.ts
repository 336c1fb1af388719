import { lstatSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  findProcess,
  isRunning,
  listProcesses,
  type ProcessEntry,
} from '../processes/process-table.ts';

export type EdgeProcess = ProcessEntry & { program: 'keeper.mjs' | 'worker.mjs' };

const KILL_MS = 5_000;
const CHECK_MS = 10;

/**
 * The keepers and workers of the edge with this folder. Anybody can choose a command line, so only processes of the user
 * count to whom the server gave the folder.
 */
export function edgeProcesses(folder: string): EdgeProcess[] {
  const owner = lstatSync(folder, { throwIfNoEntry: false })?.uid;
  return listProcesses()
    .filter((entry) => entry.uid === owner && isRunning(entry))
    .flatMap((entry) => {
      const program = programOf(argvOf(entry.pid), folder);
      return program === undefined ? [] : [{ ...entry, program }];
    });
}

/** For an edge that hangs. Its workers serve on. */
export async function killKeepers(folder: string): Promise<void> {
  await killEdgeProcesses(edgeProcesses(folder).filter(({ program }) => program === 'keeper.mjs'));
}

/** Kills those of the processes that still run. Resolves when they have ended. */
export async function killEdgeProcesses(processes: EdgeProcess[]): Promise<void> {
  const until = performance.now() + KILL_MS;
  for (const { pid, startTime } of processes) {
    if (findProcess(pid)?.startTime === startTime) kill(pid);
  }
  while (processes.some(isSameRunning) && performance.now() < until) await delay(CHECK_MS);
}

function isSameRunning({ pid, startTime }: EdgeProcess): boolean {
  const entry = findProcess(pid);
  return entry !== undefined && entry.startTime === startTime && isRunning(entry);
}

/** `node [flags] <folder of the program>/keeper.mjs <folder of the edge>` */
function programOf(argv: string[], folder: string): EdgeProcess['program'] | undefined {
  const index = argv.lastIndexOf(folder) - 1;
  const name = basename(argv[index] ?? '');
  return name === 'keeper.mjs' || name === 'worker.mjs' ? name : undefined;
}

function argvOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
