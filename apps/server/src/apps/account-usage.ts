import {
  type AccountUsage,
  capacityProblem,
  type Detected,
  largerTiers,
  RESOURCE_TIER,
  type ReleaseValues,
  type Tier,
  type TierTable,
  type Usage,
} from '@longshore/contract';
import type { Database } from '../db/database.ts';
import type { Engine } from '../engines/engine.ts';
import type { Apps } from './apps.ts';
import { countApps, type OwnerQuotas } from './owner-quotas.ts';
import { capacityOf, diskProblem, growthOf, isGrowth, type Quota, quotaProblem } from './quota.ts';

export type AccountUsageDeps = {
  db: Database;
  quotas: Pick<OwnerQuotas, 'quotaOf'>;
  tiers: TierTable;
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
  const [{ apps, memoryBytes, cpus }, disk] = await Promise.all([
    countApps(deps.db, userId, deps.tiers),
    diskUsageOf(userId, quota, deps, signal),
  ]);
  return {
    apps: usage(apps, quota.apps),
    memoryBytes: usage(memoryBytes, quota.memoryBytes),
    cpus: usage(cpus, quota.cpus),
    builds: { ...usage(builds.running, quota.builds), waiting: builds.waiting },
    diskBytes: usage(disk, quota.diskBytes),
    perApp: capacityOf({ tier: RESOURCE_TIER }, deps.tiers),
  };
}

/** What the reconciler must respect before it builds an app of a user. */
export function createOwnerLimits(deps: AccountUsageDeps) {
  const ran = new Map<string, Procfile>();
  const recordProcesses = ({ appId, detected }: Pick<ProcessesOfApp, 'appId' | 'detected'>) =>
    void ran.set(appId, detected.processes);
  return {
    maxBuildsOf: async (ownerId: string) => (await deps.quotas.quotaOf(deps.db, ownerId)).builds,
    async diskProblemOf(ownerId: string, signal: AbortSignal): Promise<string | undefined> {
      const quota = await deps.quotas.quotaOf(deps.db, ownerId);
      if (quota.diskBytes === Number.POSITIVE_INFINITY) return undefined;
      return diskProblem((await diskUsageOf(ownerId, quota, deps, signal)) ?? 0, quota);
    },
    nextSizeOf: (app: SizedApp) => nextSizeOf(app, deps),
    async processProblemOf(app: ProcessesOfApp): Promise<string | undefined> {
      const problem = await processProblemOf(app, ran.get(app.appId), deps);
      if (problem === undefined) recordProcesses(app);
      return problem;
    },
    recordProcesses,
  };
}

/** An awake app whose memory is not enough. */
export type SizedApp = { appId: string; ownerId: string; tier: string; replicas: number };

/** An awake app with processes. `detected`: in the release that serves. */
export type ProcessesOfApp = {
  appId: string;
  ownerId: string;
  values: Pick<ReleaseValues, 'resourceTier' | 'replicas' | 'processes'>;
  detected: Pick<Detected, 'processes'>;
};

type Procfile = Detected['processes'];

/**
 * Why the quota of the owner does not allow the processes of an app. Those in its settings were checked when they were saved, so
 * only its Procfile can need more. What `ran` already may run again, whatever the quota is now.
 */
async function processProblemOf(
  { appId, ownerId, values, detected }: ProcessesOfApp,
  ran: Procfile,
  { db, quotas, tiers }: Pick<AccountUsageDeps, 'db' | 'quotas' | 'tiers'>,
): Promise<string | undefined> {
  const withProcfile = (procfile: Procfile = {}) => ({ deleted: false, values, procfile });
  const growth = growthOf(withProcfile(ran), withProcfile(detected.processes), tiers);
  if (!isGrowth(growth)) return undefined;
  const quota = await quotas.quotaOf(db, ownerId);
  return quotaProblem(await countApps(db, ownerId, tiers, appId), growth, quota);
}

/** The next larger size, if there is one, and whether the quota of the owner has room for it. */
export type NextSize = { kind: 'none' } | { kind: 'allowed' | 'over-quota'; tier: Tier };

async function nextSizeOf(
  { appId, ownerId, tier: current, replicas }: SizedApp,
  { db, quotas, tiers }: Pick<AccountUsageDeps, 'db' | 'quotas' | 'tiers'>,
): Promise<NextSize> {
  const [tier] = largerTiers(current, tiers).filter(
    ({ name }) => capacityProblem(replicas, name, tiers) === undefined,
  );
  if (tier === undefined) return { kind: 'none' };
  const quota = await quotas.quotaOf(db, ownerId);
  const used = await countApps(db, ownerId, tiers, appId);
  const withTier = (resourceTier: string) => ({
    deleted: false,
    values: { resourceTier, replicas },
  });
  const growth = growthOf(withTier(current), withTier(tier.name), tiers);
  const isAllowed = quotaProblem(used, growth, quota) === undefined;
  return { kind: isAllowed ? 'allowed' : 'over-quota', tier };
}

/** What an account uses, without waiting long for the disk: null if it is unknown by then. */
export async function usageForOperator(
  userId: string,
  { running }: BuildCounts,
  deps: AccountUsageDeps,
  signal: AbortSignal,
): Promise<Record<keyof Quota, Usage>> {
  const [quota, { apps, memoryBytes, cpus }, disk] = await Promise.all([
    deps.quotas.quotaOf(deps.db, userId),
    countApps(deps.db, userId, deps.tiers),
    measureDisk(userId, deps, signal).catch(() => undefined),
  ]);
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
