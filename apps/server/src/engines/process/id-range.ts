import { createHash } from 'node:crypto';

export type IdRange = { first: number; count: number };

/** Nobody else gives out ids here: see systemd's list of uid ranges. */
const PREFERRED: IdRange = { first: 1_900_000_000, count: 200_000_000 };
/** Below this there is too little room for apps of their own. */
const MIN_COUNT = 1_000;

/**
 * The ids that apps may get, by the lines of `/proc/self/uid_map` (first id here, first id outside, count).
 * Inside a container only some ids exist: then the upper part of the widest run. Undefined: none to give.
 */
export function appIdRange(idMap: string): IdRange | undefined {
  const runs = idMap
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([first = 0, , count = 0]) => ({ first, count }));
  if (runs.some((run) => contains(run, PREFERRED))) return PREFERRED;
  const [widest] = runs.toSorted((one, other) => other.count - one.count);
  if (widest === undefined) return undefined;
  const first = widest.first + Math.ceil(widest.count / 3);
  // The last two are left to nobody and to the overflow id.
  const count = widest.first + widest.count - first - 2;
  return count < MIN_COUNT ? undefined : { first, count };
}

/** The same name always asks for the same id, and takes the next free one when another app has it. */
export function assignId(name: string, range: IdRange, taken: ReadonlySet<number>): number {
  const wish = createHash('sha256').update(name).digest().readUInt32BE() % range.count;
  for (let step = 0; step < range.count; step += 1) {
    const id = range.first + ((wish + step) % range.count);
    if (!taken.has(id)) return id;
  }
  throw new Error('No free user id is left for another app');
}

function contains(outer: IdRange, inner: IdRange): boolean {
  return outer.first <= inner.first && outer.first + outer.count >= inner.first + inner.count;
}
