import { join } from 'node:path';
import type { ControlGroupVersion } from './control-group-files.ts';

/** What the processes of a group have used and use now. Undefined: not counted. */
export type GroupUsage = { cpuSeconds: number | undefined; memoryBytes: number | undefined };

/** The folders of one group. `cpu`: in the tree that counts CPU time. */
export type GroupFolders = { cpu: string | undefined; memory: string };

export type UsageFiles = { cpu: string | undefined; memory: string; memoryStat: string };

const MICROSECONDS = 1e6;
const NANOSECONDS = 1e9;

export function usageFiles(
  version: ControlGroupVersion,
  { cpu, memory }: GroupFolders,
): UsageFiles {
  const cpuFile = version === 2 ? 'cpu.stat' : 'cpuacct.usage';
  return {
    cpu: cpu && join(cpu, cpuFile),
    memory: join(memory, version === 2 ? 'memory.current' : 'memory.usage_in_bytes'),
    memoryStat: join(memory, 'memory.stat'),
  };
}

export function parseCpuSeconds(version: ControlGroupVersion, text: string): number | undefined {
  if (version === 1) return divided(/^(\d+)\s*$/.exec(text)?.[1], NANOSECONDS);
  return divided(/^usage_usec (\d+)$/m.exec(text)?.[1], MICROSECONDS);
}

/** Without cached files, which the kernel frees when the memory is needed. */
export function parseMemoryBytes(used: string, stat: string): number | undefined {
  const bytes = divided(/^(\d+)\s*$/.exec(used)?.[1], 1);
  if (bytes === undefined) return undefined;
  // Version 1 has both, and only the total includes child groups.
  const cached =
    /^total_inactive_file (\d+)$/m.exec(stat)?.[1] ?? /^inactive_file (\d+)$/m.exec(stat)?.[1];
  return Math.max(0, bytes - Number(cached ?? 0));
}

function divided(digits: string | undefined, unit: number): number | undefined {
  return digits === undefined ? undefined : Number(digits) / unit;
}
