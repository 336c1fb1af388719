import { expect, it } from 'vitest';
import { compareRates } from './compare-rates.ts';

/** Answers one rate after another, the warm-up's first. */
function rates(...each: number[]) {
  const left = [0, ...each];
  return async () => left.shift() ?? Number.NaN;
}

it('answers the round whose share of the floor is the median, both numbers from that round', async () => {
  const compared = await compareRates({
    rounds: 3,
    roundMs: 1,
    // A machine that was busy in one round, and a lucky round.
    measured: rates(45, 9, 99),
    floor: rates(50, 12, 100),
  });
  expect(compared).toEqual({ value: 45, floor: 50 });
});
