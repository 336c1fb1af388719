import { RESOURCE_TIER } from './constants.ts';

/** What one instance may use at most. */
export type Size = { cpus: number; memoryBytes: number; processes: number };

/** One row of the table of sizes. The values of an app name it. */
export type Tier = Size & { name: string };

/** CPU and memory, of a size or of a machine. */
export type Capacity = Pick<Size, 'cpus' | 'memoryBytes'>;

/** The sizes of an installation, smallest first, and the machine that they have to fit on. */
export type TierTable = { tiers: readonly Tier[]; machine: Capacity };

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** Unless the operator has a table of its own. */
export const DEFAULT_TIERS: readonly Tier[] = [
  { name: RESOURCE_TIER, cpus: 0.5, memoryBytes: 512 * MIB, processes: 256 },
  { name: 't2', cpus: 1, memoryBytes: GIB, processes: 512 },
  { name: 't3', cpus: 1, memoryBytes: 2 * GIB, processes: 512 },
  { name: 't4', cpus: 2, memoryBytes: 4 * GIB, processes: 1_024 },
  { name: 't5', cpus: 4, memoryBytes: 8 * GIB, processes: 1_024 },
];

/** Such as `1 CPU, 1 GiB`. */
export function sizeText({ cpus, memoryBytes }: Capacity): string {
  return `${cpus} CPU, ${memoryText(memoryBytes)}`;
}

/** Such as `512 MiB`. */
export function memoryText(bytes: number): string {
  if (bytes < GIB) return `${Math.floor(bytes / MIB)} MiB`;
  return `${Math.floor((bytes / GIB) * 10) / 10} GiB`;
}

/** Smallest first. */
export function bySize(one: Capacity, other: Capacity): number {
  return one.memoryBytes - other.memoryBytes || one.cpus - other.cpus;
}

/** The sizes that an app can get. The default one is always among them, whatever the machine is. */
export function offeredTiers({ tiers, machine }: TierTable): Tier[] {
  return tiers.filter((tier) => tier.name === RESOURCE_TIER || fits(tier, machine));
}

/** Those of the offered sizes that have more memory, smallest first. */
export function largerTiers(name: string, table: TierTable): Tier[] {
  const { memoryBytes } = sizeOf(name, table);
  return offeredTiers(table).filter((tier) => tier.memoryBytes > memoryBytes);
}

/** Why an app cannot get this size. */
export function tierProblem(name: string, table: TierTable): string | undefined {
  const tier = table.tiers.find((each) => each.name === name);
  const offered = offeredTiers(table);
  if (tier === undefined) return `Must be one of ${offered.map((each) => each.name).join(', ')}`;
  if (offered.includes(tier)) return undefined;
  return `${name} (${sizeText(tier)}) is larger than this machine (${sizeText(table.machine)})`;
}

/**
 * The size of an app or release that is stored with this tier. One that the table has no more gets the default size at its
 * next start. Nothing gets more CPUs than the machine has, which Docker refuses.
 */
export function sizeOf(name: unknown, { tiers, machine }: TierTable): Size {
  const named = (wanted: unknown) => tiers.find((tier) => tier.name === wanted);
  const { cpus, memoryBytes, processes } =
    named(name) ?? named(RESOURCE_TIER) ?? (DEFAULT_TIERS[0] as Tier);
  return { cpus: Math.min(cpus, machine.cpus), memoryBytes, processes };
}

function fits(size: Capacity, machine: Capacity): boolean {
  return size.cpus <= machine.cpus && size.memoryBytes <= machine.memoryBytes;
}
