import type { AccountUsage, Usage } from '@longshore/contract';
import type { Database } from '../db/database.ts';
import type { Apps } from './apps.ts';
import { countApps, type OwnerQuotas } from './owner-quotas.ts';
import { diskProblem, resourcesOf } from './quota.ts';

export type AccountUsageDeps = {
  db: Database;
  quotas: Pick<OwnerQuotas, 'quotaOf'>;
  apps: Pick<Apps, 'idsOnEngine'>;
  /** The disk space that apps use together. Undefined: the engine cannot measure it. */
  usedBytes: ((appIds: string[], signal: AbortSignal) => Promise<number>) | undefined;
};

/** Builds of a user that run or wait for a slot. */
export type BuildCounts = { running: number; waiting: number };

/** What an account uses now, and its limits. */
export async function accountUsage(
  userId: string,
  builds: BuildCounts,
  deps: AccountUsageDeps,
  signal: AbortSignal,
): Promise<AccountUsage> {
  const [quota, { apps, awake }, disk] = await Promise.all([
    deps.quotas.quotaOf(deps.db, userId),
    countApps(deps.db, userId),
    diskUsageOf(userId, deps, signal),
  ]);
  const { memoryBytes, cpus } = resourcesOf(awake);
  return {
    apps: usage(apps, quota.apps),
    memoryBytes: usage(memoryBytes, quota.memoryBytes),
    cpus: usage(cpus, quota.cpus),
    builds: { ...usage(builds.running, quota.builds), waiting: builds.waiting },
    diskBytes: usage(disk, quota.diskBytes),
    perApp: resourcesOf(1),
  };
}

/** What the reconciler must respect before it builds an app of a user. */
export function createOwnerLimits(deps: AccountUsageDeps) {
  return {
    maxBuildsOf: async (ownerId: string) => (await deps.quotas.quotaOf(deps.db, ownerId)).builds,
    async diskProblemOf(ownerId: string, signal: AbortSignal): Promise<string | undefined> {
      const quota = await deps.quotas.quotaOf(deps.db, ownerId);
      if (quota.diskBytes === Number.POSITIVE_INFINITY) return undefined;
      return diskProblem((await diskUsageOf(ownerId, deps, signal)) ?? 0, quota);
    },
  };
}

/** Undefined: unknown. */
async function diskUsageOf(
  ownerId: string,
  { apps, usedBytes }: AccountUsageDeps,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (usedBytes === undefined) return undefined;
  return await usedBytes(await apps.idsOnEngine(ownerId), signal);
}

function usage(used: number | undefined, limit: number): Usage {
  return { used: used ?? null, limit: limit === Number.POSITIVE_INFINITY ? null : limit };
}
