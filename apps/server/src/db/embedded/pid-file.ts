import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isAlive } from '../../processes/process-stat.ts';
import type { Cluster } from './cluster.ts';

/** The content of `postmaster.pid` in the data folder. */
export type PidFile = { pid: number; isReady: boolean };

export function pidFilePath(cluster: Cluster): string {
  return join(cluster.dataFolder, 'postmaster.pid');
}

/** Line 1 is the pid, line 8 the state. Undefined for an incomplete file. */
export function parsePidFile(text: string): PidFile | undefined {
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 1) return undefined;
  return { pid, isReady: lines[7]?.trim() === 'ready' };
}

export async function readPidFile(cluster: Cluster): Promise<PidFile | undefined> {
  const text = await readFile(pidFilePath(cluster), 'utf8').catch(() => '');
  return parsePidFile(text);
}

/** Another program may have got the pid since, so the arguments of the process are checked. */
export function isPostgresOf(dataFolder: string, argv: readonly string[]): boolean {
  const position = argv.indexOf('-D');
  return basename(argv[0] ?? '') === 'postgres' && argv[position + 1] === dataFolder;
}

/** The arguments of a running process; empty if there is none. */
export async function argvOf(pid: number): Promise<string[]> {
  if (!(await isAlive(pid))) return [];
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return text.split('\0').slice(0, -1);
}
