import { isRecord } from '@longshore/contract';
import { TIER_LIMITS } from '../engines/tier.ts';

/** What one user may use at most. Infinity: no limit. */
export type Quota = {
  apps: number;
  memoryBytes: number;
  cpus: number;
  /** Builds at once. */
  builds: number;
  diskBytes: number;
};

/** Operators have no limits. */
export type AccountKind = 'operator' | 'registered' | 'anonymous';

/** How many apps an account has, and how many are awake. */
export type AppCounts = { apps: number; awake: number };

/** `stopping`: those of the awake apps that are hibernated or deleted, but have not stopped yet. */
export type UsedApps = AppCounts & { stopping: number };

/** An app as far as quotas count it. Old rows may have values of any form. */
export type CountedApp = { deleted: boolean; values: unknown };

export const NO_LIMITS: Quota = {
  apps: Number.POSITIVE_INFINITY,
  memoryBytes: Number.POSITIVE_INFINITY,
  cpus: Number.POSITIVE_INFINITY,
  builds: Number.POSITIVE_INFINITY,
  diskBytes: Number.POSITIVE_INFINITY,
};

/** An anonymous user can deploy nothing, so its quota does not matter. */
export const ANONYMOUS_MESSAGE =
  'Anonymous users cannot deploy apps. Sign up with an email address, then try again.';

const MIB = 1024 ** 2;

/** Limits of one user instead of the configured ones. Null: the configured limit; 0: no limit. */
export type QuotaOverride = { [Limit in keyof Quota]: number | null };

export const NO_OVERRIDE: QuotaOverride = {
  apps: null,
  memoryBytes: null,
  cpus: null,
  builds: null,
  diskBytes: null,
};

export function quotaOf(account: AccountKind, quota: Quota, override: QuotaOverride): Quota {
  if (account === 'operator') return NO_LIMITS;
  const limit = (name: keyof Quota) =>
    override[name] === 0 ? Number.POSITIVE_INFINITY : (override[name] ?? quota[name]);
  return {
    apps: limit('apps'),
    memoryBytes: limit('memoryBytes'),
    cpus: limit('cpus'),
    builds: limit('builds'),
    diskBytes: limit('diskBytes'),
  };
}

export function isAwake({ deleted, values }: CountedApp): boolean {
  return !deleted && !(isRecord(values) && values.instances === 0);
}

/** By how much a change makes the counts grow. `before` is undefined for a new app. */
export function growthOf(before: CountedApp | undefined, after: CountedApp): AppCounts {
  const existed = before !== undefined && !before.deleted;
  const wasAwake = before !== undefined && isAwake(before);
  return {
    apps: !existed && !after.deleted ? 1 : 0,
    awake: !wasAwake && isAwake(after) ? 1 : 0,
  };
}

/** What awake apps use. An app counts as its whole tier. */
export function resourcesOf(awake: number): { memoryBytes: number; cpus: number } {
  return { memoryBytes: awake * TIER_LIMITS.memoryBytes, cpus: awake * TIER_LIMITS.cpus };
}

/** Why the counts may not grow, for the user. An account that is over its quota already may keep what it has. */
export function quotaProblem(used: UsedApps, growth: AppCounts, quota: Quota): string | undefined {
  if (growth.apps > 0 && used.apps + growth.apps > quota.apps) {
    return `App limit reached: ${used.apps} of ${quota.apps} apps in use. Delete an app, or ask the operator for a higher limit.`;
  }
  const problem = awakeProblem(used.awake, growth.awake, quota);
  if (problem === undefined) return undefined;
  const isRoomSoon = awakeProblem(used.awake - used.stopping, growth.awake, quota) === undefined;
  const advice = isRoomSoon
    ? 'An app that is stopping counts until it has stopped: try again in a moment.'
    : 'Hibernate or delete an app, or ask the operator for a higher limit.';
  return `${problem} ${advice}`;
}

function awakeProblem(used: number, growth: number, quota: Quota): string | undefined {
  if (growth === 0) return undefined;
  const [now, needed] = [resourcesOf(used), resourcesOf(growth)];
  if (now.memoryBytes + needed.memoryBytes > quota.memoryBytes) {
    const [use, limit, need] = [now, quota, needed].map(({ memoryBytes }) => inMib(memoryBytes));
    return `Memory limit reached: awake apps use ${use} of ${limit} MB, and this app needs ${need} MB.`;
  }
  if (now.cpus + needed.cpus > quota.cpus) {
    return `CPU limit reached: awake apps use ${now.cpus} of ${quota.cpus} CPU, and this app needs ${needed.cpus} CPU.`;
  }
  return undefined;
}

function inMib(bytes: number): number {
  return Math.floor(bytes / MIB);
}

/** What is used and allowed, if the disk of the account is used up. */
export function diskProblem(usedBytes: number, { diskBytes }: Quota): string | undefined {
  if (usedBytes < diskBytes) return undefined;
  return `${gigabytes(usedBytes)} of ${gigabytes(diskBytes)} in use`;
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1).replace(/\.0$/, '')} GB`;
}
