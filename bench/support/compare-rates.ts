/** Things done in each second, by us and by the floor right before. */
export type RatePair = { value: number; floor: number };

type RateRounds = {
  rounds: number;
  roundMs: number;
  /** Each does as much as it can for a while, and says how many a second. */
  measured: (forMs: number) => Promise<number>;
  floor: (forMs: number) => Promise<number>;
  /** Until Node has compiled what is used most. */
  warmUpMs?: number;
};

const WARM_UP_MS = 2_000;

/**
 * Takes turns, so that whatever else the machine does slows both. Answers the round whose share of the floor is
 * the median; the number of rounds is odd.
 */
export async function compareRates({
  rounds,
  roundMs,
  measured,
  floor,
  warmUpMs = WARM_UP_MS,
}: RateRounds): Promise<RatePair> {
  await floor(warmUpMs);
  await measured(warmUpMs);
  const pairs: RatePair[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({ floor: await floor(roundMs), value: await measured(roundMs) });
  }
  return medianPair(pairs);
}

function medianPair(pairs: readonly RatePair[]): RatePair {
  const ordered = pairs.toSorted((a, b) => shareOf(a) - shareOf(b));
  const middle = ordered[Math.floor(ordered.length / 2)];
  if (middle === undefined) throw new RangeError('Nothing was measured');
  return middle;
}

function shareOf({ value, floor }: RatePair): number {
  return value / floor;
}
