import { setTimeout as delay } from 'node:timers/promises';
import { isRunning, listProcesses, type ProcessEntry, readEnvironment } from './process-table.ts';

const CHECK_MS = 10;
const KILL_TIMEOUT_MS = 5_000;
const MAX_FREEZE_ROUNDS = 20;

/** Selects all processes of a uid, or the processes whose environment contains all marks. */
export type ProcessSelector =
  | { kind: 'uid'; uid: number }
  | {
      kind: 'marked';
      marks: Record<string, string>;
      /** Only processes of these users, because any process can set a mark. Undefined: of all users. */
      uids: number[] | undefined;
    };

/**
 * Kills every matching process, also those that left their process group. All are stopped with SIGSTOP before the first is
 * killed, so that none can start another one in between. Returns whether all are gone.
 */
export async function killMatching(target: ProcessSelector): Promise<boolean> {
  const until = performance.now() + KILL_TIMEOUT_MS;
  for (let round = 0; ; round += 1) {
    const found = findMatching(target);
    if (found.length === 0) return true;
    if (performance.now() >= until) return false;
    const notStopped = found.filter(({ state }) => state !== 'T' && state !== 't');
    const isFreezing = notStopped.length > 0 && round < MAX_FREEZE_ROUNDS;
    for (const { pid } of isFreezing ? notStopped : found)
      sendSignal(pid, isFreezing ? 'SIGSTOP' : 'SIGKILL');
    await delay(CHECK_MS);
  }
}

/** The running processes that match. */
export function findMatching(target: ProcessSelector): ProcessEntry[] {
  return listProcesses().filter((entry) => matches(entry, target));
}

function matches(entry: ProcessEntry, target: ProcessSelector): boolean {
  if (entry.pid === process.pid || !isRunning(entry)) return false;
  if (target.kind === 'uid') return entry.uid === target.uid;
  if (target.uids?.includes(entry.uid) === false) return false;
  const environment = new Set(readEnvironment(entry.pid));
  return Object.entries(target.marks).every(([name, value]) => environment.has(`${name}=${value}`));
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has exited in the meantime.
  }
}
