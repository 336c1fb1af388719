import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { createQueue, type PassControl } from './queue.ts';

type Pass = PassControl & { appId: string; end(): void };

function setUp() {
  const clock = createSimulatedClock();
  const passes: Pass[] = [];
  const queue = createQueue({
    clock,
    runPass: (appId, control) =>
      new Promise<void>((resolve, reject) => {
        passes.push({ appId, ...control, end: resolve });
        control.signal.addEventListener('abort', () => reject(control.signal.reason));
      }),
  });
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return { clock, queue, passes, settle };
}

it('runs different apps side by side', () => {
  const { queue, passes } = setUp();
  queue.wake('a');
  queue.wake('b');
  expect(passes.map((pass) => pass.appId)).toEqual(['a', 'b']);
});

it('runs one pass per app at a time, and one more however often the app is woken', async () => {
  const { queue, passes, settle } = setUp();
  queue.wake('a');
  for (let time = 0; time < 10; time += 1) queue.wake('a');
  expect(passes).toHaveLength(1);
  passes[0]?.end();
  await settle();
  expect(passes).toHaveLength(2);
  passes[1]?.end();
  await settle();
  expect(passes).toHaveLength(2);
});

it('interrupts a pass only on request', async () => {
  const { queue, passes, settle } = setUp();
  queue.wake('a');
  queue.wake('a');
  expect(passes[0]?.signal.aborted).toBe(false);
  queue.wake('a', { interrupt: true });
  expect(passes[0]?.signal.aborted).toBe(true);
  await settle();
  expect(passes).toHaveLength(2);
  expect(passes[1]?.signal.aborted).toBe(false);
});

it('wakes later, once, and not if something else wakes the app first', async () => {
  const { clock, queue, passes } = setUp();
  queue.wakeLater('a', 1_000);
  queue.wakeLater('a', 2_000);
  await clock.advance(1_999);
  expect(passes).toHaveLength(0);
  await clock.advance(1);
  expect(passes).toHaveLength(1);
  queue.wakeLater('b', 1_000);
  queue.wake('b');
  await clock.advance(1_000);
  expect(passes).toHaveLength(2);
});

it('interrupts every pass when it stops, and starts no more', async () => {
  const { clock, queue, passes } = setUp();
  queue.wake('a');
  queue.wakeLater('b', 10);
  await queue.stop();
  expect(clock.pending()).toBe(0);
  queue.wake('c');
  await clock.advance(10);
  expect(passes.map((pass) => pass.appId)).toEqual(['a']);
  expect(passes[0]?.signal.aborted).toBe(true);
});

it('notifies a running pass of each wake', async () => {
  const { queue, passes, settle } = setUp();
  queue.wake('a');
  const wakes: string[] = [];
  const listen = (name: string) => void passes[0]?.nextWake().then(() => wakes.push(name));
  listen('first');
  await settle();
  expect(wakes).toEqual([]);
  queue.wake('b');
  queue.wake('a');
  await settle();
  expect(wakes).toEqual(['first']);
  listen('second');
  await settle();
  expect(wakes).toEqual(['first']);
  queue.wake('a');
  await settle();
  expect(wakes).toEqual(['first', 'second']);
});
