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
  logError(error: unknown): void;
};

const MEASURE_TIMEOUT_MS = 10_000;

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
    shownDiskUsage(userId, deps, signal),
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

/** A disk that cannot be measured does not hide the rest of the usage. */
async function shownDiskUsage(
  userId: string,
  deps: AccountUsageDeps,
  signal: AbortSignal,
): Promise<number | undefined> {
  try {
    return await diskUsageOf(userId, deps, signal);
  } catch (error) {
    signal.throwIfAborted();
    deps.logError(error);
    return undefined;
  }
}

/** Undefined: the engine cannot measure it. */
async function diskUsageOf(
  ownerId: string,
  { apps, usedBytes }: AccountUsageDeps,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (usedBytes === undefined) return undefined;
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(MEASURE_TIMEOUT_MS)]);
  return await usedBytes(await apps.idsOnEngine(ownerId), deadline);
}

function usage(used: number | undefined, limit: number): Usage {
  return { used: used ?? null, limit: limit === Number.POSITIVE_INFINITY ? null : limit };
}
