import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { createRetries } from './retries.ts';

const crash = (instanceId: string, ranMs = 0) => ({ instanceId, ranMs });

function setUp() {
  const clock = createSimulatedClock(0);
  const wakes: [string, number][] = [];
  const retries = createRetries({
    clock,
    wakeLater: (appId, delayMs) => void wakes.push([appId, delayMs]),
  });
  return { clock, wakes, retries };
}

it('waits longer after each failure in a row', () => {
  const { clock, retries } = setUp();
  const waits = ['a', 'b', 'c', 'd'].map((instanceId) => {
    retries.of('app', 1).failed('newest', crash(instanceId));
    return (retries.of('app', 1).next('newest')?.at ?? 0) - clock.now();
  });
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
});

it('names the instance that the wait is about', () => {
  const { retries } = setUp();
  retries.of('app', 1).failed('newest', crash('3'));
  expect(retries.of('app', 1).next('newest')).toMatchObject({ instanceId: '3' });
});

it('counts each app on its own', () => {
  const { retries } = setUp();
  retries.of('one', 1).failed('newest', crash('a'));
  expect(retries.of('other', 1).next('newest')).toBeUndefined();
  expect(retries.of('other', 1).isTryingAgain()).toBe(false);
});

it('counts the newest release and the one that serves meanwhile each on its own', () => {
  const { retries } = setUp();
  retries.of('app', 1).failed('fallback', crash('a'));
  retries.of('app', 1).failed('fallback', crash('b'));
  expect(retries.of('app', 1).next('newest')).toBeUndefined();
  expect(retries.of('app', 1).isTryingAgain()).toBe(false);
  expect(retries.of('app', 1).next('fallback')).toMatchObject({ at: 2_000, instanceId: 'b' });
  retries.of('app', 1).settle();
  expect(retries.of('app', 1).next('fallback')).toBeUndefined();
});

it('counts anew with a new wish', () => {
  const { retries } = setUp();
  retries.of('app', 1).failed('newest', crash('a'));
  retries.of('app', 1).failed('newest', crash('b'));
  expect(retries.of('app', 2).isTryingAgain()).toBe(false);
  retries.of('app', 2).failed('newest', crash('c'));
  expect(retries.of('app', 2).next('newest')?.at).toBe(1_000);
});

it('counts anew for an app that ran for a minute before it stopped', () => {
  const { retries } = setUp();
  for (const instanceId of ['a', 'b', 'c'])
    retries.of('app', 1).failed('newest', crash(instanceId));
  retries.of('app', 1).failed('newest', crash('d', 59_999));
  expect(retries.of('app', 1).next('newest')?.at).toBe(8_000);
  retries.of('app', 1).failed('newest', crash('e', 60_000));
  expect(retries.of('app', 1).next('newest')?.at).toBe(1_000);
});

it('forgets failures once the app has been settled for a minute', async () => {
  const { clock, retries } = setUp();
  retries.of('app', 1).failed('newest', crash('a'));
  await clock.advance(60_999);
  retries.of('app', 1).settle();
  expect(retries.of('app', 1).isTryingAgain()).toBe(true);
  await clock.advance(1);
  retries.of('app', 1).settle();
  expect(retries.of('app', 1).isTryingAgain()).toBe(false);
});

it('forgets an app', () => {
  const { retries } = setUp();
  retries.of('app', 1).failed('newest', crash('a'));
  retries.forget('app');
  expect(retries.of('app', 1).next('newest')).toBeUndefined();
});

it.each([
  ['at the time given', 2_500, 2_500],
  ['at once when the time is over', -1, 0],
])('wakes %s', (_, time, delayMs) => {
  const { retries, wakes } = setUp();
  retries.of('app', 1).wakeAt(time);
  expect(wakes).toEqual([['app', delayMs]]);
});

it('looks again soon when a pass broke before it saw anything', () => {
  const { retries, wakes } = setUp();
  retries.unseen('app');
  expect(wakes).toEqual([['app', 5_000]]);
  expect(retries.of('app', 1).isTryingAgain()).toBe(false);
});
