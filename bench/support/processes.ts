import { readdirSync, readFileSync } from 'node:fs';
import { type ProcessStat, parseStat } from './process-stat.ts';

/** Linux reports CPU time in hundredths of a second. */
const TICK_MS = 10;

/** A process and its descendants. */
export function familyOf(pid: number): number[] {
  const parents = new Map(everyPid().map((it) => [it, statOf(it)?.parent]));
  const family = [pid];
  for (const elder of family) {
    for (const [child, parent] of parents) if (parent === elder) family.push(child);
  }
  return family;
}

/** CPU time used so far. */
export function cpuMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (statOf(pid)?.cpuTicks ?? 0) * TICK_MS, 0);
}

export function nameOf(pid: number): string {
  return statOf(pid)?.name ?? '';
}

export function argvOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
}

export function isAlive(pid: number): boolean {
  return statOf(pid) !== undefined;
}

function everyPid(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

function statOf(pid: number): ProcessStat | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}
