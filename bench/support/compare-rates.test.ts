import { expect, it } from 'vitest';
import { compareRates } from './compare-rates.ts';

/** Returns one rate after another, first that of the warm-up. */
function rates(...each: number[]) {
  const left = [0, ...each];
  return async () => left.shift() ?? Number.NaN;
}

it('returns the round with the median ratio to the baseline', async () => {
  const compared = await compareRates({
    rounds: 3,
    roundMs: 1,
    // One round on a busy machine, and one unusually fast round.
    measured: rates(45, 9, 99),
    baseline: rates(50, 12, 100),
  });
  expect(compared).toEqual({ value: 45, baseline: 50 });
});
