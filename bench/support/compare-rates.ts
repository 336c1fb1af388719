/** Operations per second of Longshore, and of the baseline right before. */
export type RatePair = { value: number; baseline: number };

type RateRounds = {
  rounds: number;
  roundMs: number;
  /** Runs as many operations as possible for a while and returns the number per second. */
  measured: (forMs: number) => Promise<number>;
  baseline: (forMs: number) => Promise<number>;
  /** Until Node has optimized the hot code. */
  warmUpMs?: number;
};

const WARM_UP_MS = 2_000;

/**
 * Alternates between both, so that other work on the machine slows both. Returns the round with the median ratio to
 * the baseline; the number of rounds is odd.
 */
export async function compareRates({
  rounds,
  roundMs,
  measured,
  baseline,
  warmUpMs = WARM_UP_MS,
}: RateRounds): Promise<RatePair> {
  await baseline(warmUpMs);
  await measured(warmUpMs);
  const pairs: RatePair[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({ baseline: await baseline(roundMs), value: await measured(roundMs) });
  }
  return medianPair(pairs);
}

function medianPair(pairs: readonly RatePair[]): RatePair {
  const ordered = pairs.toSorted((a, b) => shareOf(a) - shareOf(b));
  const middle = ordered[Math.floor(ordered.length / 2)];
  if (middle === undefined) throw new RangeError('No rounds were measured');
  return middle;
}

function shareOf({ value, baseline }: RatePair): number {
  return value / baseline;
}
