import { createOwnerQuotas, type OwnerQuotas } from '../src/apps/owner-quotas.ts';
import { NO_LIMITS } from '../src/apps/quota.ts';
import type { OwnerLimits } from '../src/reconciler/pass-context.ts';
import { TIERS } from './tiers.ts';

/** For tests that are not about quotas: everybody is registered and has no limits. */
export const NO_QUOTAS: OwnerQuotas = createOwnerQuotas({
  quota: NO_LIMITS,
  tiers: TIERS,
  accountKind: async () => 'registered',
});

export const NO_OWNER_LIMITS: OwnerLimits = {
  maxBuildsOf: async () => Number.POSITIVE_INFINITY,
  diskProblemOf: async () => undefined,
  nextSizeOf: async () => ({ kind: 'none' }),
  processProblemOf: async () => undefined,
  recordProcesses() {},
};
