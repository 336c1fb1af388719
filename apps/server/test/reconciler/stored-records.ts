import type { DeploymentPhase, Fix, Status } from '@longshore/contract';
import type { Release } from '../../src/apps/releases.ts';

/** What a store holds in addition to what the reconciler reads. */
export type StoredStatus = {
  status: Status | undefined;
  message: string | undefined;
  observedGeneration: number;
};

export type StoredRelease = Release & {
  message: string | undefined;
  fixes: Fix[];
  phases: { phase: DeploymentPhase; at: number }[];
  endedAt: number | undefined;
};
