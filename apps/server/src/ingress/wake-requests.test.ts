import { createSimulatedClock, settle } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { Route } from './route-table.ts';
import { createWakeRequests } from './wake-requests.ts';

const live: Route = { kind: 'live', targets: [] };

function setUp(wake: (appId: string) => Promise<'done' | 'refused'> = async () => 'done') {
  const clock = createSimulatedClock();
  const woken: string[] = [];
  const refused: string[] = [];
  const errors: unknown[] = [];
  const wakeRequests = createWakeRequests({
    clock,
    concurrentWakes: 2,
    wakeTimeoutMs: 1_000,
    wake(appId) {
      woken.push(appId);
      return wake(appId);
    },
    onRefused: (appId) => void refused.push(appId),
    logError: (error) => void errors.push(error),
  });
  return { clock, wakeRequests, woken, refused, errors };
}

it('wakes an app once for several requests, until it is hibernated again', () => {
  const { wakeRequests, woken } = setUp();
  for (let count = 0; count < 3; count += 1) wakeRequests.request('one');
  wakeRequests.routeChanged('one', { kind: 'hibernated', wakesOnRequest: true });
  wakeRequests.routeChanged('one', { kind: 'starting' });
  wakeRequests.request('one');
  expect(woken).toEqual(['one']);
  wakeRequests.routeChanged('one', live);
  wakeRequests.request('one');
  expect(woken).toEqual(['one', 'one']);
});

it.each<[string, Route | undefined]>([
  ['is live', live],
  ['fails', { kind: 'failed' }],
  ['is removed', undefined],
])('wakes the next app when one %s', (_state, route) => {
  const { wakeRequests, woken } = setUp();
  for (const appId of ['one', 'two', 'three', 'four']) wakeRequests.request(appId);
  expect(woken).toEqual(['one', 'two']);
  wakeRequests.routeChanged('two', route);
  expect(woken).toEqual(['one', 'two', 'three']);
});

it('does not wake a queued app that became live by other means', () => {
  const { wakeRequests, woken } = setUp();
  for (const appId of ['one', 'two', 'three']) wakeRequests.request(appId);
  wakeRequests.routeChanged('three', live);
  wakeRequests.routeChanged('one', live);
  expect(woken).toEqual(['one', 'two']);
});

it('stops waiting for an app that never becomes live after the timeout', async () => {
  const { clock, wakeRequests, woken } = setUp();
  for (const appId of ['one', 'two', 'three']) wakeRequests.request(appId);
  await clock.advance(999);
  expect(woken).toEqual(['one', 'two']);
  await clock.advance(1);
  expect(woken).toEqual(['one', 'two', 'three']);
});

it('logs a failed wake and repeats it for the next request', async () => {
  const failure = new Error('The database is not reachable');
  const { wakeRequests, woken, errors } = setUp(() => Promise.reject(failure));
  wakeRequests.request('one');
  await settle();
  expect(errors).toEqual([failure]);
  wakeRequests.request('one');
  expect(woken).toEqual(['one', 'one']);
  await settle();
});

it('reports an app that may not wake, and wakes the next one', async () => {
  const { wakeRequests, woken, refused } = setUp(async (appId) =>
    appId === 'three' ? 'done' : 'refused',
  );
  for (const appId of ['one', 'two', 'three']) wakeRequests.request(appId);
  await settle();
  expect(refused).toEqual(['one', 'two']);
  expect(woken).toEqual(['one', 'two', 'three']);
});

it('leaves no timer after stop', () => {
  const { clock, wakeRequests } = setUp();
  wakeRequests.request('one');
  wakeRequests.stop();
  expect(clock.pending()).toBe(0);
});
