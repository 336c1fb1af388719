import { DEFAULT_TIERS, sizeOf, type TierTable } from '@longshore/contract';

/** On a machine for all of them. */
export const TIERS: TierTable = {
  tiers: DEFAULT_TIERS,
  machine: { cpus: 16, memoryBytes: 64 * 1024 ** 3 },
};

export const DEFAULT_SIZE = sizeOf('t1', TIERS);
