import {
  type Capacity,
  isRecord,
  type Processes,
  type ProcessType,
  processTypes,
  sizeOf,
  type TierTable,
} from '@longshore/contract';

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

/** How many apps an account has, and what the awake ones use. */
export type AppsUse = Capacity & { apps: number };

/** `stopping`: what those apps use that are hibernated or deleted, but have not stopped yet. */
export type UsedApps = AppsUse & { stopping: Capacity };

/**
 * An app as far as quotas count it. Old rows may have values of any form. `procfile`: the processes in the Procfile of the release
 * that serves; undefined: unknown.
 */
export type CountedApp = { deleted: boolean; values: unknown; procfile?: unknown };

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

/**
 * What a change of an app needs in all, where it needs more than before; 0 elsewhere. `before` is undefined for a new app.
 */
export function growthOf(
  before: CountedApp | undefined,
  after: CountedApp,
  table: TierTable,
): AppsUse {
  const existed = before !== undefined && !before.deleted;
  const [had, needed] = [
    before === undefined ? NOTHING : needOf(before, table),
    needOf(after, table),
  ];
  const grown = (name: keyof Capacity) => (needed[name] > had[name] ? needed[name] : 0);
  return {
    apps: !existed && !after.deleted ? 1 : 0,
    memoryBytes: grown('memoryBytes'),
    cpus: grown('cpus'),
  };
}

const NOTHING: Capacity = { memoryBytes: 0, cpus: 0 };

/** An awake app counts as its whole size, for each of its instances, and so do its other processes. */
function needOf(app: CountedApp, table: TierTable): Capacity {
  if (!isAwake(app)) return NOTHING;
  const { resourceTier, replicas, processes } = isRecord(app.values) ? app.values : {};
  const web = capacityOf({ tier: resourceTier, replicas }, table);
  const others = processesOf({ processes, resourceTier }, app.procfile);
  return sumOf([web, ...others.map(ofProcess(table))]);
}

/**
 * Of stored values, in any form. `found`: in the Procfile of the release that serves. While that is unknown, it is taken to have
 * all processes of the settings.
 */
export function processesOf(
  values: { processes?: unknown; resourceTier?: unknown },
  found: unknown,
): ProcessType[] {
  const processes = isRecord(values.processes) ? (values.processes as Processes) : {};
  const named = Object.fromEntries(Object.keys(processes).map((name) => [name, '']));
  const commands = isRecord(found) ? (found as Record<string, string>) : named;
  const resourceTier = String(values.resourceTier);
  return processTypes({ processes, resourceTier }, { processes: commands });
}

export function ofProcess(table: TierTable) {
  return ({ resourceTier, replicas }: Pick<ProcessType, 'resourceTier' | 'replicas'>) =>
    capacityOf({ tier: resourceTier, replicas }, table);
}

export function sumOf(capacities: Capacity[]): Capacity {
  const total = (name: keyof Capacity) => capacities.reduce((sum, each) => sum + each[name], 0);
  // Not 0.30000000000000004.
  return { memoryBytes: total('memoryBytes'), cpus: Number(total('cpus').toFixed(3)) };
}

/** `replicas`: of stored values, in any form. */
export type Scaled = { tier: unknown; replicas?: unknown };

/** CPU and memory of all instances. */
export function capacityOf({ tier, replicas }: Scaled, table: TierTable): Capacity {
  const { memoryBytes, cpus } = sizeOf(tier, table);
  const count = typeof replicas === 'number' ? replicas : 1;
  return { memoryBytes: count * memoryBytes, cpus: count * cpus };
}

export function isGrowth({ apps, memoryBytes, cpus }: AppsUse): boolean {
  return apps > 0 || memoryBytes > 0 || cpus > 0;
}

/** Why an account may not use more, for the user. An account that is over its quota already may keep what it has. */
export function quotaProblem(used: UsedApps, growth: AppsUse, quota: Quota): string | undefined {
  if (growth.apps > 0 && used.apps + growth.apps > quota.apps) {
    return `App limit reached: ${used.apps} of ${quota.apps} apps in use. Delete an app, or ask the operator for a higher limit.`;
  }
  const problem = awakeProblem(used, growth, quota);
  if (problem === undefined) return undefined;
  const isRoomSoon = awakeProblem(minus(used, used.stopping), growth, quota) === undefined;
  const advice = isRoomSoon
    ? 'An app that is stopping counts until it has stopped: try again in a moment.'
    : 'Hibernate or delete an app, or ask the operator for a higher limit.';
  return `${problem} ${advice}`;
}

function awakeProblem(used: Capacity, growth: Capacity, quota: Capacity): string | undefined {
  const exceeds = (name: keyof Capacity) =>
    growth[name] > 0 && used[name] + growth[name] > quota[name];
  if (exceeds('memoryBytes')) {
    const [use, limit, need] = [used, quota, growth].map(({ memoryBytes }) => inMib(memoryBytes));
    return `Memory limit reached: awake apps use ${use} of ${limit} MB, and this app needs ${need} MB.`;
  }
  if (exceeds('cpus')) {
    return `CPU limit reached: awake apps use ${used.cpus} of ${quota.cpus} CPU, and this app needs ${growth.cpus} CPU.`;
  }
  return undefined;
}

function minus(one: Capacity, other: Capacity): Capacity {
  return { memoryBytes: one.memoryBytes - other.memoryBytes, cpus: one.cpus - other.cpus };
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
