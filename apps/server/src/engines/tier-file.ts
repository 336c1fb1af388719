import { bySize, isRecord, RESOURCE_TIER, type Tier } from '@longshore/contract';

/** The table of sizes, or what is wrong with it: a part of a sentence. */
export type ParsedTiers = { ok: true; tiers: Tier[] } | { ok: false; problem: string };

type Limit = { field: string; min: number; max: number; isWhole: boolean };

const MIB = 1024 ** 2;
const NAME = /^[a-z0-9][a-z0-9-]{0,31}$/;
const EXAMPLE = '[{"name": "t1", "cpus": 0.5, "memoryMb": 512}]';
const CPUS: Limit = { field: 'cpus', min: 0.05, max: 1_024, isWhole: false };
const MEMORY: Limit = { field: 'memoryMb', min: 32, max: 16_777_216, isWhole: true };
const PROCESSES: Limit = { field: 'processes', min: 16, max: 4_194_304, isWhole: true };
const FIELDS = ['name', 'cpus', 'memoryMb', 'processes'];
const DEFAULT_PROCESSES = 256;

/** Reads the file of LONGSHORE_TIERS. */
export function parseTiers(text: string): ParsedTiers {
  const rows = parseJson(text);
  if (!Array.isArray(rows)) return wrong(`must be a file with a JSON list such as ${EXAMPLE}.`);
  const tiers: Tier[] = [];
  for (const row of rows) {
    const problem = rowProblem(row, tiers);
    if (problem !== undefined) return wrong(problem);
    tiers.push(toTier(row));
  }
  if (!tiers.some(({ name }) => name === RESOURCE_TIER)) {
    return wrong(`must contain the size "${RESOURCE_TIER}", which apps have by default.`);
  }
  return { ok: true, tiers: tiers.sort(bySize) };
}

function wrong(problem: string): ParsedTiers {
  return { ok: false, problem };
}

/** Undefined if it is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function rowProblem(row: unknown, before: Tier[]): string | undefined {
  if (!isRecord(row) || typeof row.name !== 'string' || !NAME.test(row.name)) {
    return `has a size with a wrong "name": ${JSON.stringify(row)} needs one of lowercase letters, digits and -.`;
  }
  const { name } = row;
  if (before.some((tier) => tier.name === name)) return `has two sizes with the name "${name}".`;
  const unknown = Object.keys(row).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined) return `has an unknown field "${unknown}" in the size "${name}".`;
  const limit = [CPUS, MEMORY, PROCESSES].find((each) => !isWithin(row[each.field], each));
  if (limit === undefined) return undefined;
  const kind = limit.isWhole ? 'a whole number' : 'a number';
  return `has a wrong "${limit.field}" in the size "${name}": it must be ${kind} from ${limit.min} to ${limit.max}.`;
}

function isWithin(value: unknown, { field, min, max, isWhole }: Limit): boolean {
  if (value === undefined && field === PROCESSES.field) return true;
  if (typeof value !== 'number' || value < min || value > max) return false;
  return !isWhole || Number.isInteger(value);
}

function toTier(row: Record<string, unknown>): Tier {
  const { name, cpus, memoryMb, processes = DEFAULT_PROCESSES } = row;
  return {
    name: String(name),
    cpus: Number(cpus),
    memoryBytes: Number(memoryMb) * MIB,
    processes: Number(processes),
  };
}
