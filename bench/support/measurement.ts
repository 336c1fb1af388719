export type Unit = 'ms' | 'MB' | 'kB' | '%' | '‰' | '/s' | 'requests';

export type Measurement = {
  name: string;
  unit: Unit;
  value: number;
  /** The best possible value on this machine, measured in the same run. */
  baseline?: { name: string; value: number };
  /** Upper limit, in the same unit. */
  budget?: number;
  /** Minimum ratio to the baseline, for values where more is better. */
  minRatio?: number;
};

export type Verdict = 'within' | 'over' | 'under';

export function verdictOf(measurement: Measurement): Verdict | undefined {
  const { value, budget, minRatio } = measurement;
  const ratio = ratioOf(measurement);
  if (budget !== undefined && value > budget) return 'over';
  if (minRatio !== undefined && ratio !== undefined && ratio < minRatio) return 'under';
  return budget === undefined && minRatio === undefined ? undefined : 'within';
}

/** Ratio to the baseline; undefined if the baseline is not positive. */
export function ratioOf({ value, baseline }: Measurement): number | undefined {
  return baseline === undefined || baseline.value <= 0 ? undefined : value / baseline.value;
}
