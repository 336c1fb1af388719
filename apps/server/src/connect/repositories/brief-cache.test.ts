import { createSimulatedClock } from '@longshore/testkit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createBriefCache, type Weighed } from './brief-cache.ts';

function prepare(maxWeight = 10) {
  const clock = createSimulatedClock();
  const cache = createBriefCache<string>({ clock, lifetimeMs: 1_000, maxWeight });
  const made: string[] = [];
  const get = (key: string, weight = 1) =>
    cache.get(key, async () => {
      made.push(key);
      return { answer: `${key} ${made.length}`, weight };
    });
  return { clock, cache, made, get };
}

it('asks once in a while', async () => {
  const { clock, cache, get } = prepare();
  expect(await get('a')).toBe('a 1');
  await clock.advance(999);
  expect(await get('a')).toBe('a 1');
  expect(cache.peek('a')).toBe('a 1');
  await clock.advance(1);
  expect(cache.peek('a')).toBeUndefined();
  expect(await get('a')).toBe('a 2');
});

it('asks once for all who ask at the same time', async () => {
  const { get, made } = prepare();
  expect(await Promise.all([get('a'), get('a'), get('b')])).toEqual(['a 1', 'a 1', 'b 2']);
  expect(made).toEqual(['a', 'b']);
});

it('keeps no failure', async () => {
  const { cache, get } = prepare();
  const failing = cache.get('a', async () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await get('a')).toBe('a 1');
});

it('forgets the oldest when it gets too much, and does not keep what is too much alone', async () => {
  const { cache, get } = prepare();
  await get('a', 5);
  await get('b', 5);
  await get('c', 5);
  expect(['a', 'b', 'c'].map((key) => cache.peek(key) !== undefined)).toEqual([false, true, true]);
  expect(await get('d', 11)).toBe('d 4');
  expect(['b', 'c', 'd'].map(cache.peek)).toEqual([undefined, undefined, undefined]);
});

it('never keeps more than it may, nor longer, whatever is asked', async () => {
  const asks = fc.array(
    fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd'),
      weight: fc.integer({ min: 0, max: 12 }),
      waitMs: fc.integer({ min: 0, max: 700 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(asks, async (all) => {
      const clock = createSimulatedClock();
      type Made = { at: number; weight: number };
      const cache = createBriefCache<Made>({ clock, lifetimeMs: 1_000, maxWeight: 10 });
      for (const { key, weight, waitMs } of all) {
        await clock.advance(waitMs);
        const make = async (): Promise<Weighed<Made>> => ({
          answer: { at: clock.now(), weight },
          weight,
        });
        expect(clock.now() - (await cache.get(key, make)).at).toBeLessThan(1_000);
        const kept = ['a', 'b', 'c', 'd'].flatMap((other) => cache.peek(other) ?? []);
        expect(kept.reduce((sum, each) => sum + each.weight, 0)).toBeLessThanOrEqual(10);
      }
    }),
  );
});
