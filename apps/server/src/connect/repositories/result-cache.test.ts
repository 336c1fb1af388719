import { createSimulatedClock } from '@longshore/testkit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createResultCache, type WeightedResult } from './result-cache.ts';

function prepare(maxWeight = 10) {
  const clock = createSimulatedClock();
  const cache = createResultCache<string>({ clock, lifetimeMs: 1_000, maxWeight });
  const loaded: string[] = [];
  const get = (key: string, weight = 1) =>
    cache.get(key, async () => {
      loaded.push(key);
      return { result: `${key} ${loaded.length}`, weight };
    });
  return { clock, cache, loaded, get };
}

it('loads again after the lifetime', async () => {
  const { clock, cache, get } = prepare();
  expect(await get('a')).toBe('a 1');
  await clock.advance(999);
  expect(await get('a')).toBe('a 1');
  expect(cache.peek('a')).toBe('a 1');
  await clock.advance(1);
  expect(cache.peek('a')).toBeUndefined();
  expect(await get('a')).toBe('a 2');
});

it('loads once for concurrent calls', async () => {
  const { get, loaded } = prepare();
  expect(await Promise.all([get('a'), get('a'), get('b')])).toEqual(['a 1', 'a 1', 'b 2']);
  expect(loaded).toEqual(['a', 'b']);
});

it('does not cache failures', async () => {
  const { cache, get } = prepare();
  const failing = cache.get('a', async () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await get('a')).toBe('a 1');
});

it('removes the oldest results above the weight limit, and never caches a result above it', async () => {
  const { cache, get } = prepare();
  await get('a', 5);
  await get('b', 5);
  await get('c', 5);
  expect(['a', 'b', 'c'].map((key) => cache.peek(key) !== undefined)).toEqual([false, true, true]);
  expect(await get('d', 11)).toBe('d 4');
  expect(['b', 'c', 'd'].map(cache.peek)).toEqual([undefined, undefined, undefined]);
});

it('never exceeds its weight limit or lifetime', async () => {
  const calls = fc.array(
    fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd'),
      weight: fc.integer({ min: 0, max: 12 }),
      waitMs: fc.integer({ min: 0, max: 700 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(calls, async (sequence) => {
      const clock = createSimulatedClock();
      type Entry = { at: number; weight: number };
      const cache = createResultCache<Entry>({ clock, lifetimeMs: 1_000, maxWeight: 10 });
      for (const { key, weight, waitMs } of sequence) {
        await clock.advance(waitMs);
        const load = async (): Promise<WeightedResult<Entry>> => ({
          result: { at: clock.now(), weight },
          weight,
        });
        expect(clock.now() - (await cache.get(key, load)).at).toBeLessThan(1_000);
        const cached = ['a', 'b', 'c', 'd'].flatMap((other) => cache.peek(other) ?? []);
        expect(cached.reduce((sum, each) => sum + each.weight, 0)).toBeLessThanOrEqual(10);
      }
    }),
  );
});
