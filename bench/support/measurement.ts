export type Unit = 'ms' | 'MB' | 'kB' | '%' | '‰' | '/s';

export type Measurement = {
  name: string;
  unit: Unit;
  value: number;
  /** The best that anything could do on this machine, measured in the same run. */
  floor?: { name: string; value: number };
  /** At most this much, in the same unit. */
  budget?: number;
  /** At least this share of the floor, for what is better the more there is of it. */
  leastShare?: number;
};

export type Verdict = 'within' | 'over' | 'under';

export function verdictOf(measurement: Measurement): Verdict | undefined {
  const { value, budget, leastShare } = measurement;
  const ratio = ratioOf(measurement);
  if (budget !== undefined && value > budget) return 'over';
  if (leastShare !== undefined && ratio !== undefined && ratio < leastShare) return 'under';
  return budget === undefined && leastShare === undefined ? undefined : 'within';
}

/** How many times the floor; undefined where the floor is too small to compare with. */
export function ratioOf({ value, floor }: Measurement): number | undefined {
  return floor === undefined || floor.value <= 0 ? undefined : value / floor.value;
}
