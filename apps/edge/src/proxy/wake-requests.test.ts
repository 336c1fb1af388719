import type { RouteState } from '@longshore/edge-contract';
import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { createWakeRequests } from './wake-requests.ts';

const live: RouteState = { kind: 'live', targets: [] };

function setUp() {
  const clock = createSimulatedClock();
  const woken: string[] = [];
  const wakeRequests = createWakeRequests({
    clock,
    concurrentWakes: 2,
    wakeTimeoutMs: 1_000,
    wake: (appId) => void woken.push(appId),
  });
  return { clock, wakeRequests, woken };
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

it.each<[string, RouteState | undefined]>([
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

it('wakes the next app after a refusal, and the refused one again at its next request', () => {
  const { wakeRequests, woken } = setUp();
  for (const appId of ['one', 'two', 'three']) wakeRequests.request(appId);
  wakeRequests.refused('one');
  expect(woken).toEqual(['one', 'two', 'three']);
  wakeRequests.refused('two');
  wakeRequests.request('one');
  expect(woken).toEqual(['one', 'two', 'three', 'one']);
});

it('leaves no timer after stop', () => {
  const { clock, wakeRequests } = setUp();
  wakeRequests.request('one');
  wakeRequests.stop();
  expect(clock.pending()).toBe(0);
});
