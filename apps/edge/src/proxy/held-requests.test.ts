import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { createHeldRequests, type HeldRequest } from './held-requests.ts';

function setUp({ heldPerApp = 10, heldTotal = 10 } = {}) {
  const clock = createSimulatedClock();
  const heldRequests = createHeldRequests({ clock, heldPerApp, heldTotal });
  const events: string[] = [];
  const request = (appId: string, name = appId, onRetry = () => {}): HeldRequest => ({
    appId,
    deadline: clock.now() + 1_000,
    retry() {
      events.push(`${name} retried`);
      onRetry();
    },
    fail: (code) => void events.push(`${name}: ${code}`),
  });
  return { clock, heldRequests, events, request };
}

it('retries the requests of one app, and keeps holding the others', async () => {
  const { clock, heldRequests, events, request } = setUp();
  heldRequests.hold(request('one'));
  heldRequests.hold(request('two'));
  heldRequests.retryAll('one');
  heldRequests.retryAll('one');
  expect(events).toEqual(['one retried']);
  await clock.advance(1_000);
  expect(events).toEqual(['one retried', 'two: starting']);
});

it('keeps the deadline of a request that is held again after a retry', async () => {
  const { clock, heldRequests, events, request } = setUp();
  const held = request('one', 'first', () => heldRequests.hold(held));
  heldRequests.hold(held);
  await clock.advance(600);
  heldRequests.retryAll('one');
  await clock.advance(399);
  expect(events).toEqual(['first retried']);
  await clock.advance(1);
  expect(events).toEqual(['first retried', 'first: starting']);
});

it('forgets a dropped request', async () => {
  const { clock, heldRequests, events, request } = setUp();
  const held = request('one');
  heldRequests.hold(held);
  heldRequests.drop(held);
  heldRequests.drop(held);
  heldRequests.retryAll('one');
  await clock.advance(1_000);
  expect(events).toEqual([]);
  expect(clock.pending()).toBe(0);
});

it('limits the held requests per app and in total', () => {
  const { heldRequests, request } = setUp({ heldPerApp: 2, heldTotal: 3 });
  const accepted = ['one', 'one', 'one', 'two', 'three'].map((appId) =>
    heldRequests.hold(request(appId)),
  );
  expect(accepted).toEqual([true, true, false, true, false]);
  heldRequests.retryAll('one');
  expect(heldRequests.hold(request('three'))).toBe(true);
});

it('ends all requests when it stops', () => {
  const { clock, heldRequests, events, request } = setUp();
  heldRequests.hold(request('one'));
  heldRequests.hold(request('two'));
  heldRequests.stop();
  expect(events).toEqual(['one: starting', 'two: starting']);
  expect(clock.pending()).toBe(0);
});
