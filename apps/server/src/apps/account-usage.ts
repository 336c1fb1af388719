import type { AccountUsage, Usage } from '@longshore/contract';
import type { Database } from '../db/database.ts';
import type { Engine } from '../engines/engine.ts';
import type { Apps } from './apps.ts';
import { countApps, type OwnerQuotas } from './owner-quotas.ts';
import { diskProblem, type Quota, resourcesOf } from './quota.ts';

export type AccountUsageDeps = {
  db: Database;
  quotas: Pick<OwnerQuotas, 'quotaOf'>;
  apps: Pick<Apps, 'idsOnEngine'>;
  engine: Pick<Engine, 'usedBytes' | 'removeCaches'>;
  /** The uploaded source code of apps. */
  uploads: { usedBytes(appIds: string[]): Promise<number> };
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
  const quota = await deps.quotas.quotaOf(deps.db, userId);
  const [{ apps, awake }, disk] = await Promise.all([
    countApps(deps.db, userId),
    diskUsageOf(userId, quota, deps, signal),
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
      return diskProblem((await diskUsageOf(ownerId, quota, deps, signal)) ?? 0, quota);
    },
  };
}

/** What an account uses, without waiting long for the disk: null if it is unknown by then. */
export async function usageForOperator(
  userId: string,
  { running }: BuildCounts,
  deps: AccountUsageDeps,
  signal: AbortSignal,
): Promise<Record<keyof Quota, Usage>> {
  const [quota, { apps, awake }, disk] = await Promise.all([
    deps.quotas.quotaOf(deps.db, userId),
    countApps(deps.db, userId),
    measureDisk(userId, deps, signal).catch(() => undefined),
  ]);
  const { memoryBytes, cpus } = resourcesOf(awake);
  return {
    apps: usage(apps, quota.apps),
    memoryBytes: usage(memoryBytes, quota.memoryBytes),
    cpus: usage(cpus, quota.cpus),
    builds: usage(running, quota.builds),
    diskBytes: usage(disk, quota.diskBytes),
  };
}

async function measureDisk(
  ownerId: string,
  { apps, engine, uploads }: AccountUsageDeps,
  signal: AbortSignal,
): Promise<number | undefined> {
  const appIds = await apps.idsOnEngine(ownerId);
  const usedBytes = await engine.usedBytes?.({ ownerId, appIds }, signal);
  return usedBytes === undefined ? undefined : usedBytes + (await uploads.usedBytes(appIds));
}

/** Undefined: unknown. Users cannot remove the caches of their builds, so these never use up the quota. */
async function diskUsageOf(
  ownerId: string,
  quota: Quota,
  deps: AccountUsageDeps,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { removeCaches } = deps.engine;
  const usedBytes = await measureDisk(ownerId, deps, signal);
  if (usedBytes === undefined || removeCaches === undefined) return usedBytes;
  if (diskProblem(usedBytes, quota) === undefined) return usedBytes;
  await removeCaches(ownerId);
  return await measureDisk(ownerId, deps, signal);
}

function usage(used: number | undefined, limit: number): Usage {
  return { used: used ?? null, limit: limit === Number.POSITIVE_INFINITY ? null : limit };
}
