import { expect, it } from 'vitest';
import { createFairQueue, type FairQueueLimits } from './fair-queue.ts';

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
