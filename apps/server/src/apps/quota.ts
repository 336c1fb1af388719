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

/** The operator is the first account. */
export type AccountKind = 'operator' | 'registered' | 'anonymous';

/** How many apps an account has, and how many of them are awake. */
export type AppCounts = { apps: number; awake: number };

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

export function quotaOf(account: AccountKind, quota: Quota): Quota {
  return account === 'operator' ? NO_LIMITS : quota;
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
export function quotaProblem(used: AppCounts, growth: AppCounts, quota: Quota): string | undefined {
  if (growth.apps > 0 && used.apps + growth.apps > quota.apps) {
    return `App limit reached: ${used.apps} of ${quota.apps} apps in use. Delete an app, or ask the operator for a higher limit.`;
  }
  if (growth.awake === 0) return undefined;
  const [now, needed] = [resourcesOf(used.awake), resourcesOf(growth.awake)];
  if (now.memoryBytes + needed.memoryBytes > quota.memoryBytes) {
    const amounts = { now: now.memoryBytes, limit: quota.memoryBytes, needed: needed.memoryBytes };
    return awakeProblem('Memory', amounts, (bytes) => `${Math.floor(bytes / MIB)} MB`);
  }
  if (now.cpus + needed.cpus > quota.cpus) {
    const amounts = { now: now.cpus, limit: quota.cpus, needed: needed.cpus };
    return awakeProblem('CPU', amounts, (cpus) => `${cpus} CPU`);
  }
  return undefined;
}

function awakeProblem(
  name: string,
  { now, limit, needed }: { now: number; limit: number; needed: number },
  text: (amount: number) => string,
): string {
  return `${name} limit reached: awake apps use ${text(now)} of ${text(limit)}, and this app needs ${text(needed)}. Hibernate or delete an app, or ask the operator for a higher limit.`;
}

/** What is used and allowed, if the disk of the account is used up. */
export function diskProblem(usedBytes: number, { diskBytes }: Quota): string | undefined {
  if (usedBytes < diskBytes) return undefined;
  return `${gigabytes(usedBytes)} of ${gigabytes(diskBytes)} in use`;
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1).replace(/\.0$/, '')} GB`;
}
