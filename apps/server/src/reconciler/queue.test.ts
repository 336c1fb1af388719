import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { createQueue, type PassControl } from './queue.ts';

type Pass = PassControl & { appId: string; end(): void };

function setUp(limits: { maxPlanning?: number } = {}) {
  const clock = createSimulatedClock();
  const passes: Pass[] = [];
  const queue = createQueue({
    ...limits,
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

it('lets passes wait while many others plan, each app once, in the order of the wakes', async () => {
  const { queue, passes, settle } = setUp({ maxPlanning: 2 });
  for (const appId of ['a', 'b', 'c', 'd', 'c']) queue.wake(appId);
  expect(passes.map(({ appId }) => appId)).toEqual(['a', 'b']);
  expect(queue.size()).toBe(4);
  // It may take long from here on.
  passes[1]?.planned();
  expect(passes.map(({ appId }) => appId)).toEqual(['a', 'b', 'c']);
  passes[0]?.end();
  await settle();
  expect(passes.map(({ appId }) => appId)).toEqual(['a', 'b', 'c', 'd']);
  for (const pass of passes) pass.end();
  await settle();
  expect(passes).toHaveLength(4);
  expect(queue.size()).toBe(0);
});

it('begins a pass of a changed desired state at once, also if the app waits', async () => {
  const { queue, passes, settle } = setUp({ maxPlanning: 1 });
  for (const appId of ['a', 'b', 'c']) queue.wake(appId);
  queue.wake('c', { interrupt: true });
  expect(passes.map(({ appId }) => appId)).toEqual(['a', 'c']);
  for (const pass of passes) pass.end();
  await settle();
  expect(passes.map(({ appId }) => appId)).toEqual(['a', 'c', 'b']);
});

it('begins none of those that wait once it is stopped', async () => {
  const { queue, passes } = setUp({ maxPlanning: 1 });
  for (const appId of ['a', 'b']) queue.wake(appId);
  await queue.stop();
  expect(passes.map(({ appId }) => appId)).toEqual(['a']);
});

it('lets a pass that has waited itself plan again when others have planned', async () => {
  const { queue, passes, settle } = setUp({ maxPlanning: 1 });
  for (const appId of ['a', 'b']) queue.wake(appId);
  passes[0]?.planned();
  expect(passes.map(({ appId }) => appId)).toEqual(['a', 'b']);
  let isPlanning = false;
  void passes[0]?.planAgain().then(() => {
    isPlanning = true;
  });
  queue.wake('c');
  await settle();
  expect(isPlanning).toBe(false);
  passes[1]?.end();
  await settle();
  expect(isPlanning).toBe(true);
  expect(passes).toHaveLength(2);
  passes[0]?.end();
  await settle();
  expect(passes.map(({ appId }) => appId)).toEqual(['a', 'b', 'c']);
});

it.each(['an edit', 'a stop'])('does not let a pass wait to plan again after %s', async (event) => {
  const { queue, passes } = setUp({ maxPlanning: 1 });
  for (const appId of ['a', 'b']) queue.wake(appId);
  passes[0]?.planned();
  const planning = passes[0]?.planAgain();
  if (event === 'a stop') await queue.stop();
  else queue.wake('a', { interrupt: true });
  await planning;
  expect(passes[0]?.signal.aborted).toBe(true);
});
