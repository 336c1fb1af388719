import { isRecord } from './type-guards.ts';

/** `used` is null if it is unknown, `limit` if there is none. */
export type Usage = { used: number | null; limit: number | null };

/** What an account uses now, and its limits. `waiting`: builds that wait for a slot. */
export type AccountUsage = {
  apps: Usage;
  memoryBytes: Usage;
  cpus: Usage;
  builds: Usage & { waiting: number };
  diskBytes: Usage;
  /** What an awake app counts. */
  perApp: { memoryBytes: number; cpus: number };
};

export function decodeAccountUsage(body: unknown): AccountUsage | undefined {
  if (!isRecord(body)) return undefined;
  const { apps, memoryBytes, cpus, builds, diskBytes, perApp } = body;
  if (!isUsage(apps) || !isUsage(memoryBytes) || !isUsage(cpus) || !isUsage(diskBytes)) {
    return undefined;
  }
  if (!isUsage(builds) || !('waiting' in builds) || typeof builds.waiting !== 'number') {
    return undefined;
  }
  if (!isRecord(perApp)) return undefined;
  const [appMemory, appCpus] = [perApp.memoryBytes, perApp.cpus];
  if (typeof appMemory !== 'number' || typeof appCpus !== 'number') return undefined;
  const { waiting } = builds;
  return {
    apps,
    memoryBytes,
    cpus,
    builds: { ...builds, waiting },
    diskBytes,
    perApp: { memoryBytes: appMemory, cpus: appCpus },
  };
}

function isUsage(value: unknown): value is Usage {
  return isRecord(value) && isAmount(value.used) && isAmount(value.limit);
}

function isAmount(value: unknown): value is number | null {
  return value === null || typeof value === 'number';
}
