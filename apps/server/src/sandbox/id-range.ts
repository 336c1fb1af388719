import { createHash } from 'node:crypto';

export type IdRange = { first: number; count: number };

/** No other program assigns ids in this range: see the uid ranges of systemd. */
const PREFERRED: IdRange = { first: 1_900_000_000, count: 200_000_000 };
/** Ids below the preferred range, which no other program assigns either. */
const EDGE_IDS = 1_000_000;
/** A smaller range is not used. */
const MIN_COUNT = 1_000;

/**
 * The ids for apps, from the lines of `/proc/self/uid_map` (first id inside, first id outside, count). A container
 * has only some ids: then the upper part of the largest range is used. Undefined when there are too few ids.
 */
export function appIdRange(idMap: string): IdRange | undefined {
  const ranges = idMap
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([first = 0, , count = 0]) => ({ first, count }));
  if (ranges.some((range) => contains(range, PREFERRED))) return PREFERRED;
  const [largest] = ranges.toSorted((one, other) => other.count - one.count);
  if (largest === undefined) return undefined;
  const first = largest.first + Math.ceil(largest.count / 3);
  // The last two are the uid of nobody and the overflow id.
  const count = largest.first + largest.count - first - 2;
  return count < MIN_COUNT ? undefined : { first, count };
}

/** The same name gets the same id, or the next free one when another app has it. */
export function assignId(name: string, range: IdRange, taken: ReadonlySet<number>): number {
  const offset = createHash('sha256').update(name).digest().readUInt32BE() % range.count;
  for (let step = 0; step < range.count; step += 1) {
    const id = range.first + ((offset + step) % range.count);
    if (!taken.has(id)) return id;
  }
  throw new Error('No free user id is left for another app');
}

/**
 * The id of the edge of an installation, below those of apps. Where few ids exist, the edges of several installations share
 * one.
 */
export function edgeId({ first }: IdRange, installation: string): number {
  const count = first === PREFERRED.first ? EDGE_IDS : 1;
  const offset = createHash('sha256').update(installation).digest().readUInt32BE() % count;
  return first - 1 - offset;
}

function contains(outer: IdRange, inner: IdRange): boolean {
  return outer.first <= inner.first && outer.first + outer.count >= inner.first + inner.count;
}
