import type { ResourceLimits } from '../processes/control-groups/control-group-files.ts';

/** What an instance may use by its tier, and a build. Spec §9 knows one tier. */
export const TIER_LIMITS = { cpus: 0.5, memoryBytes: 512 * 1024 ** 2, processes: 256 };
export const BUILD_LIMITS: ResourceLimits = {
  cpus: 1,
  memoryBytes: 2 * 1024 ** 3,
  processes: 1_024,
};
