import { expect, it } from 'vitest';
import { createBatch } from './batch.ts';

/** Each load waits until the test ends it. */
function createLoads() {
  const loads: { keys: string[]; end: PromiseWithResolvers<string[]> }[] = [];
  const ask = createBatch((keys: string[]) => {
    const end = Promise.withResolvers<string[]>();
    loads.push({ keys, end });
    return end.promise;
  });
  const tick = () => new Promise((resolve) => setImmediate(resolve));
  return {
    ask,
    keys: () => loads.map(({ keys }) => keys),
    async succeed(at: number) {
      loads[at]?.end.resolve(loads[at].keys.map((key) => key.toUpperCase()));
      await tick();
    },
    async fail(at: number) {
      loads[at]?.end.reject(new Error(`Load ${at} failed`));
      await tick();
    },
  };
}

it('loads a key at once', async () => {
  const { ask, keys, succeed } = createLoads();
  const asked = ask('a');
  expect(keys()).toEqual([['a']]);
  await succeed(0);
  expect(await asked).toBe('A');
});

it('loads what is asked for during a load with the next one, also a key that is being loaded', async () => {
  const { ask, keys, succeed } = createLoads();
  const asked = ['a', 'b', 'a', 'c'].map(ask);
  await succeed(0);
  expect(keys()).toEqual([['a'], ['b', 'a', 'c']]);
  await succeed(1);
  expect(await Promise.all(asked)).toEqual(['A', 'B', 'A', 'C']);
});

it('loads at most a hundred at once', async () => {
  const { ask, keys, succeed } = createLoads();
  const asked = Array.from({ length: 202 }, (_, at) => ask(String(at)));
  for (const at of [0, 1, 2, 3]) await succeed(at);
  expect(keys().map(({ length }) => length)).toEqual([1, 100, 100, 1]);
  expect(await Promise.all(asked)).toHaveLength(202);
});

it('loads each key of a failed load by itself', async () => {
  const { ask, keys, succeed, fail } = createLoads();
  const asked = ['a', 'b', 'c'].map(ask);
  const results = Promise.allSettled(asked);
  await succeed(0);
  await fail(1);
  expect(keys()).toEqual([['a'], ['b', 'c'], ['b'], ['c']]);
  await fail(2);
  await succeed(3);
  expect(await results).toEqual([
    { status: 'fulfilled', value: 'A' },
    { status: 'rejected', reason: new Error('Load 2 failed') },
    { status: 'fulfilled', value: 'C' },
  ]);
});

it('loads again after a key that failed alone', async () => {
  const { ask, succeed, fail } = createLoads();
  const first = ask('a').catch(String);
  await fail(0);
  expect(await first).toBe('Error: Load 0 failed');
  const second = ask('a');
  await succeed(1);
  expect(await second).toBe('A');
});
