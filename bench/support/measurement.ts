export type Unit = 'ms' | 'MB' | 'kB' | '%';

export type Measurement = {
  name: string;
  unit: Unit;
  value: number;
  /** The least that the same could take on this machine, measured in the same run. */
  floor?: { name: string; value: number };
  /** At most this much, in the same unit. */
  budget?: number;
};

export type Verdict = 'within' | 'over';

export function verdictOf({ value, budget }: Measurement): Verdict | undefined {
  if (budget === undefined) return undefined;
  return value <= budget ? 'within' : 'over';
}

/** How many times the floor; undefined where the floor is too small to compare with. */
export function ratioOf({ value, floor }: Measurement): number | undefined {
  return floor === undefined || floor.value <= 0 ? undefined : value / floor.value;
}
