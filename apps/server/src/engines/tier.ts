import type { ResourceLimits } from '../processes/control-groups/control-group-files.ts';

/** Resource limits of an instance and of a build. There is one tier. */
export const TIER_LIMITS = { cpus: 0.5, memoryBytes: 512 * 1024 ** 2, processes: 256 };
export const BUILD_LIMITS: ResourceLimits = {
  cpus: 1,
  memoryBytes: 2 * 1024 ** 3,
  processes: 1_024,
};
