import { invalid, type Parsed, valid } from './parsed.ts';
import { memoryText, sizeOf, type TierTable } from './tier.ts';
import { isRecord } from './type-guards.ts';

export const MAX_REPLICAS = 50;

type Scaled = { replicas?: number | undefined };

/** How many instances run while the app is awake. */
export function replicasOf({ replicas = 1 }: Scaled): number {
  return replicas;
}

/** Accepts text from a form field as well as numbers from a request. */
export function replicasProblem(replicas: unknown): string | undefined {
  const trimmed = typeof replicas === 'string' ? replicas.trim() : replicas;
  const isDigits = typeof trimmed === 'string' && /^\d+$/.test(trimmed);
  const number = isDigits ? Number(trimmed) : trimmed;
  const isAllowed =
    Number.isInteger(number) && Number(number) >= 1 && Number(number) <= MAX_REPLICAS;
  return isAllowed ? undefined : `Must be a whole number between 1 and ${MAX_REPLICAS}`;
}

/** Why so many instances of a size cannot run on this machine. One always can. CPUs are shared, memory is not. */
export function capacityProblem(
  replicas: number,
  tier: string,
  table: TierTable,
): string | undefined {
  const { memoryBytes } = sizeOf(tier, table);
  const [needed, available] = [replicas * memoryBytes, table.machine.memoryBytes];
  if (replicas === 1 || needed <= available) return undefined;
  return `${replicas} instances need ${memoryText(needed)} of memory, and this machine has ${memoryText(available)}`;
}

/** `before`: the stored values, in any form. Instances that were allowed before stay allowed, whatever the machine is now. */
export function parseReplicas(
  replicas: unknown,
  { resourceTier, tiers, before }: { resourceTier: string; tiers: TierTable; before: unknown },
): Parsed<number | undefined> {
  if (replicas === undefined || replicas === null) return valid(undefined);
  const problem = replicasProblem(typeof replicas === 'string' ? undefined : replicas);
  if (problem !== undefined) return invalid('replicas', problem);
  const isStored =
    isRecord(before) && before.replicas === replicas && before.resourceTier === resourceTier;
  const capacity = isStored ? undefined : capacityProblem(Number(replicas), resourceTier, tiers);
  return capacity === undefined ? valid(Number(replicas)) : invalid('replicas', capacity);
}
