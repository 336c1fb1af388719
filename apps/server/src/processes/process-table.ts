import { readdirSync, readFileSync } from 'node:fs';
import { type ProcessStat, parseProcessStat } from './process-stat.ts';

/** A process in /proc. Pid and start time together identify it until the next boot. */
export type ProcessEntry = ProcessStat & { pid: number; uid: number };

/** All processes. Processes that exit during the listing are left out. */
export function listProcesses(): ProcessEntry[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => findProcess(Number(name)))
    .filter((entry) => entry !== undefined);
}

export function findProcess(pid: number): ProcessEntry | undefined {
  try {
    const stat = parseProcessStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const uid = Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]);
    return stat === undefined ? undefined : { ...stat, pid, uid };
  } catch {
    return undefined;
  }
}

/** A zombie has exited and waits for its parent to reap it. */
export function isRunning({ state }: ProcessStat): boolean {
  return state !== 'Z' && state !== 'X';
}

/** The environment a process was started with; empty when it cannot be read or the process is gone. */
export function readEnvironment(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** Changes with each boot, so that a pid of an earlier boot is not mistaken for a running process. */
export function readBootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}
