import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

type ProcessStat = { name: string; state: string; parent: number; cpuTicks: number };

/** Linux reports CPU time in hundredths of a second. */
const TICK_MS = 10;

/** A process and its descendants. */
export function processTreeOf(pid: number): number[] {
  const parents = new Map(everyPid().map((it) => [it, statOf(it)?.parent]));
  const tree = [pid];
  for (const ancestor of tree) {
    for (const [child, parent] of parents) if (parent === ancestor) tree.push(child);
  }
  return tree;
}

/** The processes whose working directory is this folder. */
export function processesIn(folder: string): number[] {
  return everyPid().filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false;
    }
  });
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

/** A process that has exited stays in the process table until its parent knows: of a sandbox, that may be the init system. */
export function isAlive(pid: number): boolean {
  const stat = statOf(pid);
  return stat !== undefined && stat.state !== 'Z';
}

/** Reads `/proc/<pid>/stat`. The name is in parentheses and may contain some. */
export function parseStat(text: string): ProcessStat {
  const end = text.lastIndexOf(')');
  const fields = text.slice(end + 2).split(' ');
  return {
    name: text.slice(text.indexOf('(') + 1, end),
    state: fields[0] ?? '',
    parent: Number(fields[1]),
    cpuTicks: Number(fields[11]) + Number(fields[12]),
  };
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
