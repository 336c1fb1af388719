import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFairQueue, type FairQueueLimits } from './fair-queue.ts';
import type { Release } from './semaphore.ts';

function startQueue(limits: FairQueueLimits) {
  const queue = createFairQueue(limits);
  const started: string[] = [];
  const endings = new Map<string, () => void>();
  const add = (key: string, name: string) =>
    queue.add(key, () => {
      started.push(name);
      return new Promise((resolve) => endings.set(name, resolve));
    });
  const end = async (name: string) => {
    endings.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { add, end, started };
}

it('runs no more at once than allowed', async () => {
  const { add, end, started } = startQueue({ maxRunning: 2, maxRunningPerKey: 2 });
  for (const name of ['a1', 'a2', 'a3']) add('ada', name);
  expect(started).toEqual(['a1', 'a2']);
  await end('a2');
  expect(started).toEqual(['a1', 'a2', 'a3']);
});

it('leaves room for other keys, however much work one key has', () => {
  const { add, started } = startQueue({ maxRunning: 3, maxRunningPerKey: 2 });
  for (let work = 0; work < 100; work += 1) add('ada', `a${work}`);
  add('eve', 'e0');
  expect(started).toEqual(['a0', 'a1', 'e0']);
});

it('serves the keys in rotation', async () => {
  const { add, end, started } = startQueue({ maxRunning: 1, maxRunningPerKey: 1 });
  for (const name of ['a1', 'a2', 'a3']) add('ada', name);
  for (const name of ['e1', 'e2']) add('eve', name);
  for (const name of ['a1', 'e1', 'a2', 'e2', 'a3']) await end(name);
  expect(started).toEqual(['a1', 'e1', 'a2', 'e2', 'a3']);
});

it('starts work at once after an idle time', async () => {
  const { add, end, started } = startQueue({ maxRunning: 1, maxRunningPerKey: 1 });
  add('ada', 'first');
  await end('first');
  add('ada', 'second');
  expect(started).toEqual(['first', 'second']);
});

it('gives a free slot to the key that holds the fewest', async () => {
  const { add, end, started } = startQueue({ maxRunning: 2, maxRunningPerKey: 2 });
  for (const name of ['a1', 'a2', 'a3', 'a4']) add('ada', name);
  for (const name of ['e1', 'e2', 'e3']) add('eve', name);
  await end('a1');
  await end('a2');
  expect(started).toEqual(['a1', 'a2', 'e1', 'a3']);
});

describe('acquire', () => {
  it('waits until a slot is released, and reports that it waits', async () => {
    const queue = createFairQueue({ maxRunning: 1, maxRunningPerKey: 1 });
    const events: string[] = [];
    const onWait = () => void events.push('waits');
    const release = await queue.acquire('ada', { onWait });
    expect(events).toEqual([]);
    const second = queue.acquire('eve', { onWait }).then(() => events.push('has a slot'));
    expect(events).toEqual(['waits']);
    expect(queue.countsOf('eve')).toEqual({ running: 0, waiting: 1 });
    release();
    release();
    await second;
    expect(events).toEqual(['waits', 'has a slot']);
    expect(queue.countsOf('eve')).toEqual({ running: 1, waiting: 0 });
    expect(queue.countsOf('ada')).toEqual({ running: 0, waiting: 0 });
  });

  it('reports its place among all that wait, in the order in which they will start', async () => {
    const queue = createFairQueue({ maxRunning: 1, maxRunningPerKey: 1 });
    const release = await queue.acquire('ada');
    const places: Record<string, number[]> = { a2: [], a3: [], e1: [] };
    const wait = (key: string, name: string, signal?: AbortSignal) => {
      const onWait = (place: number) => void places[name]?.push(place);
      return queue.acquire(key, { onWait, ...(signal && { signal }) });
    };
    const cancelled = new AbortController();
    const a2 = wait('ada', 'a2', cancelled.signal).catch(() => 'cancelled');
    void wait('ada', 'a3');
    const e1 = wait('eve', 'e1');
    expect(places).toEqual({ a2: [1, 2], a3: [2, 3], e1: [1] });
    cancelled.abort();
    expect(await a2).toBe('cancelled');
    expect(places.a3).toEqual([2, 3, 2]);
    release();
    await e1;
    expect(places).toEqual({ a2: [1, 2], a3: [2, 3, 2, 1], e1: [1] });
  });

  it('reports each change of a place at the front, and large changes of others', async () => {
    const queue = createFairQueue({ maxRunning: 1, maxRunningPerKey: 1 });
    let release = await queue.acquire('ada');
    const reported: number[] = [];
    const waiting = Array.from({ length: 29 }, () => queue.acquire('ada'));
    void queue.acquire('ada', { onWait: (place) => void reported.push(place) });
    for (const next of waiting) {
      release();
      release = await next;
    }
    expect(reported).toEqual([30, 24, 19, 15, 12, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it('keeps a key below its own limit', async () => {
    const queue = createFairQueue({ maxRunning: 3, maxRunningPerKey: 3 });
    await queue.acquire('ada', { maxPerKey: 1 });
    void queue.acquire('ada', { maxPerKey: 1 });
    expect(queue.countsOf('ada')).toEqual({ running: 1, waiting: 1 });
    await queue.acquire('eve');
  });

  it('frees the place of a waiter that is aborted', async () => {
    const queue = createFairQueue({ maxRunning: 1, maxRunningPerKey: 1 });
    const release = await queue.acquire('ada');
    const aborting = new AbortController();
    const aborted = queue.acquire('eve', { signal: aborting.signal });
    const next = queue.acquire('bob');
    aborting.abort(new Error('cancelled'));
    await expect(aborted).rejects.toThrow('cancelled');
    expect(queue.countsOf('eve')).toEqual({ running: 0, waiting: 0 });
    release();
    await next;
    await expect(queue.acquire('eve', { signal: aborting.signal })).rejects.toThrow('cancelled');
  });
});

/** Random arrivals, ends and cancellations, checked after each step. */
describe('for any order of events', () => {
  type Waiter = {
    key: string;
    started?: Release;
    cancel: AbortController;
    /** The keys that had a slot when this one came, if its key had nothing. */
    holders: string[];
    overtakenBy: string[];
  };
  const KEYS = ['ada', 'bob', 'eve', 'kim'];
  const event = fc.record({
    kind: fc.constantFrom('arrive', 'arrive', 'end', 'cancel'),
    key: fc.constantFrom(...KEYS),
    pick: fc.nat(),
  });
  const limits = fc.record({
    maxRunning: fc.integer({ min: 1, max: 4 }),
    maxRunningPerKey: fc.integer({ min: 1, max: 4 }),
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  it('respects both limits, leaves no slot empty, and lets every other key overtake once', async () => {
    await fc.assert(
      fc.asyncProperty(limits, fc.array(event, { maxLength: 60 }), async (limit, events) => {
        const queue = createFairQueue(limit);
        let waiters: Waiter[] = [];
        const runningOf = (key?: string) =>
          waiters.filter((it) => it.started && (key === undefined || it.key === key)).length;
        const onStart = (waiter: Waiter, release: Release) => {
          const waiting = waiters.filter((it) => !it.started && it.key !== waiter.key);
          for (const other of waiting) {
            if (runningOf(other.key) === 0) other.overtakenBy.push(waiter.key);
          }
          waiter.started = release;
        };
        for (const { kind, key, pick } of events) {
          if (kind === 'arrive') {
            const isNew = !waiters.some((it) => it.key === key);
            const holders = isNew ? KEYS.filter((each) => runningOf(each) > 0) : [];
            const cancel = new AbortController();
            const waiter: Waiter = { key, cancel, holders, overtakenBy: [] };
            waiters.push(waiter);
            queue.acquire(key, { signal: waiter.cancel.signal }).then(
              (release) => onStart(waiter, release),
              () => {},
            );
          } else {
            const candidates = waiters.filter((it) => (kind === 'end') === Boolean(it.started));
            const chosen = candidates[pick % Math.max(1, candidates.length)];
            waiters = waiters.filter((it) => it !== chosen);
            chosen?.started?.();
            chosen?.cancel.abort();
          }
          await settle();
          expect(runningOf()).toBeLessThanOrEqual(limit.maxRunning);
          for (const each of KEYS) {
            expect(runningOf(each)).toBeLessThanOrEqual(limit.maxRunningPerKey);
            const ofKey = waiters.filter((it) => it.key === each).length;
            expect(queue.countsOf(each)).toEqual({
              running: runningOf(each),
              waiting: ofKey - runningOf(each),
            });
            const couldStart = ofKey > runningOf(each) && runningOf(each) < limit.maxRunningPerKey;
            if (couldStart) expect(runningOf()).toBe(limit.maxRunning);
          }
          const firstOfKey = KEYS.flatMap(
            (each) => waiters.find((it) => it.key === each && !it.started) ?? [],
          );
          for (const waiter of firstOfKey) {
            if (runningOf(waiter.key) > 0) continue;
            const overtaking = waiter.overtakenBy;
            expect(new Set(overtaking).size).toBe(overtaking.length);
            expect(overtaking.filter((each) => waiter.holders.includes(each))).toEqual([]);
          }
        }
      }),
    );
  });
});
