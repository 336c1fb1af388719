import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { withRetries } from './with-retries.ts';

/** Fails as often as given, then loads. */
function aLoad(failures: number) {
  const calls: number[] = [];
  const clock = createSimulatedClock();
  const load = async () => {
    calls.push(clock.now());
    if (calls.length <= failures) throw new TypeError('Failed to fetch');
    return 'loaded';
  };
  return { clock, load, times: () => calls.map((at) => at - (calls[0] ?? 0)) };
}

it.each([
  [0, [0]],
  [1, [0, 200]],
  [2, [0, 200, 1_000]],
])('a load that fails %i times is repeated after %j ms', async (failures, times) => {
  const { clock, load, times: called } = aLoad(failures);
  const loaded = withRetries(load, { clock });
  await clock.advance(1_000);
  expect(await loaded).toBe('loaded');
  expect(called()).toEqual(times);
});

it('a third failure is thrown', async () => {
  const { clock, load } = aLoad(3);
  const loaded = withRetries(load, { clock }).catch((error: Error) => error.message);
  await clock.advance(1_000);
  expect(await loaded).toBe('Failed to fetch');
});

it('other errors are thrown at once', async () => {
  const { clock, load, times } = aLoad(1);
  await expect(withRetries(load, { clock, isRetryable: () => false })).rejects.toThrow('Failed');
  expect(times()).toEqual([0]);
});
