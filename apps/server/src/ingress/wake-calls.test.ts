import { createSimulatedClock, settle } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { Route } from './route-table.ts';
import { createWakeCalls } from './wake-calls.ts';

const live: Route = { kind: 'live', targets: [] };

function setUp(wake: (appId: string) => Promise<void> = async () => {}) {
  const clock = createSimulatedClock();
  const woken: string[] = [];
  const errors: unknown[] = [];
  const calls = createWakeCalls({
    clock,
    wakesAtOnce: 2,
    wakeMs: 1_000,
    wake(appId) {
      woken.push(appId);
      return wake(appId);
    },
    logError: (error) => void errors.push(error),
  });
  return { clock, calls, woken, errors };
}

it('wakes an app once, however many want it, until it sleeps again', () => {
  const { calls, woken } = setUp();
  for (let visitor = 0; visitor < 3; visitor += 1) calls.want('one');
  calls.routeIs('one', { kind: 'hibernated', wakes: true });
  calls.routeIs('one', { kind: 'starting' });
  calls.want('one');
  expect(woken).toEqual(['one']);
  calls.routeIs('one', live);
  calls.want('one');
  expect(woken).toEqual(['one', 'one']);
});

it.each<[string, Route | undefined]>([
  ['answers', live],
  ['fails', { kind: 'failed' }],
  ['is removed', undefined],
])('wakes the next when one of a few %s', (_how, route) => {
  const { calls, woken } = setUp();
  for (const appId of ['one', 'two', 'three', 'four']) calls.want(appId);
  expect(woken).toEqual(['one', 'two']);
  calls.routeIs('two', route);
  expect(woken).toEqual(['one', 'two', 'three']);
});

it('does not wake what was woken by somebody else meanwhile', () => {
  const { calls, woken } = setUp();
  for (const appId of ['one', 'two', 'three']) calls.want(appId);
  calls.routeIs('three', live);
  calls.routeIs('one', live);
  expect(woken).toEqual(['one', 'two']);
});

it('lets an app that never answers keep the others for a while only', async () => {
  const { clock, calls, woken } = setUp();
  for (const appId of ['one', 'two', 'three']) calls.want(appId);
  await clock.advance(999);
  expect(woken).toEqual(['one', 'two']);
  await clock.advance(1);
  expect(woken).toEqual(['one', 'two', 'three']);
});

it('tells of a call that failed, and makes it again for the next visitor', async () => {
  const away = new Error('The database is away');
  const { calls, woken, errors } = setUp(() => Promise.reject(away));
  calls.want('one');
  await settle();
  expect(errors).toEqual([away]);
  calls.want('one');
  expect(woken).toEqual(['one', 'one']);
  await settle();
});

it('leaves no timer behind', () => {
  const { clock, calls } = setUp();
  calls.want('one');
  calls.stop();
  expect(clock.pending()).toBe(0);
});
