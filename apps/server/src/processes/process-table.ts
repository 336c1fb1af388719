import { readdirSync, readFileSync } from 'node:fs';
import { type ProcessStat, parseProcessStat } from './process-stat.ts';

/** One process as /proc shows it. Its pid and start time together name it until the machine stops. */
export type ProcessEntry = ProcessStat & { pid: number; uid: number };

/** Every process there is. Those that end while we look are left out. */
export function listProcesses(): ProcessEntry[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => findProcess(Number(name)))
    .filter((sighting) => sighting !== undefined);
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

/** A zombie runs nothing: it only waits for somebody to ask how it ended. */
export function isRunning({ state }: ProcessStat): boolean {
  return state !== 'Z' && state !== 'X';
}

/** The environment a process was started with; empty when we may not look or it is gone. */
export function readEnvironment(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** Changes with each boot of the machine, so a pid of an earlier boot is never mistaken for ours. */
export function readBootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}
