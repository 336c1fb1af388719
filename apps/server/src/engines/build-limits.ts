import type { Capacity } from '@longshore/contract';
import type { ResourceLimits } from '../processes/control-groups/control-group-files.ts';

/** Of a build on a small machine. */
export const BUILD_LIMITS: ResourceLimits = {
  cpus: 1,
  memoryBytes: 2 * 1024 ** 3,
  processes: 1_024,
};
const MAX_BUILD_MEMORY_BYTES = 8 * 1024 ** 3;
const MIN_BUILDS = 2;

/**
 * How many builds run at once, as many as half of the machine can run: apps need the rest. What remains of that half goes to
 * each build, because bundlers and type checkers of large projects need more than the minimum.
 */
export function buildsOn({ cpus, memoryBytes }: Capacity): { max: number; limits: ResourceLimits } {
  const fitting = Math.min(cpus / BUILD_LIMITS.cpus, memoryBytes / BUILD_LIMITS.memoryBytes) / 2;
  const max = Math.max(MIN_BUILDS, Math.floor(fitting));
  const share = Math.floor(memoryBytes / 2 / max / 1024 ** 2) * 1024 ** 2;
  const most = Math.min(share, MAX_BUILD_MEMORY_BYTES);
  return {
    max,
    limits: { ...BUILD_LIMITS, memoryBytes: Math.max(BUILD_LIMITS.memoryBytes, most) },
  };
}
