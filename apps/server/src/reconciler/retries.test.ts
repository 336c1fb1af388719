import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { backoffDelayMs, createRetries, type Retries } from './retries.ts';

const crash = (run: string, ranMs = 0) => ({ run, ranMs });

function setUp() {
  const clock = createSimulatedClock(0);
  const wakes: [string, number][] = [];
  const retries = createRetries({
    clock,
    wakeLater: (appId, delayMs) => void wakes.push([appId, delayMs]),
  });
  return { clock, wakes, retries };
}

/** When the instance that exited may be replaced. */
function replacedAt(retries: Retries, run: string, generation = 1): number {
  return retries.forApp('app', generation).next('newest')?.replaceAt.get(run) ?? Number.NaN;
}

it('waits longer after each failure in a row', () => {
  const { clock, retries } = setUp();
  const waits = ['a', 'b', 'c', 'd'].map((run) => {
    retries.forApp('app', 1).recordFailure('newest', crash(run));
    return replacedAt(retries, run) - clock.now();
  });
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
});

it('waits at most a minute after failures of the machine', () => {
  const app = setUp().retries.forApp('app', 1);
  const failure = { step: 'start', isOfMachine: true } as const;
  const waits = Array.from({ length: 12 }, () => app.recordFailure('newest', failure).pauseMs);
  expect(waits).toEqual(
    [1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60].map((seconds) => seconds * 1_000),
  );
  expect(app.recordFailure('newest', crash('a'))).toMatchObject({ count: 13, pauseMs: 300_000 });
});

it('ends the wait of the newest release only, and continues to count', () => {
  const { clock, retries } = setUp();
  const app = retries.forApp('app', 1);
  app.endWait();
  expect(app.next('newest')).toBeUndefined();
  for (const role of ['newest', 'fallback'] as const) app.recordFailure(role, crash('a'));
  app.endWait();
  expect(app.next('newest')?.replaceAt).toEqual(new Map([['a', clock.now()]]));
  expect(app.next('fallback')?.replaceAt).toEqual(new Map([['a', clock.now() + 1_000]]));
  expect(app.recordFailure('newest', crash('b'))).toMatchObject({ count: 2, pauseMs: 2_000 });
});

it('knows when each exited instance may be replaced, and when a failed step may be repeated', () => {
  const app = setUp().retries.forApp('app', 1);
  app.recordFailure('newest', crash('3'));
  app.recordFailure('newest', { step: 'prune' });
  app.recordFailure('newest', { unanswered: ['4', '5'] });
  expect(app.next('newest')).toMatchObject({
    repeatAt: new Map([['prune', 2_000]]),
    replaceAt: new Map([
      ['3', 1_000],
      ['4', 4_000],
      ['5', 4_000],
    ]),
    unstarted: undefined,
  });
});

it('adds up instances that could not be started until their pause is over', async () => {
  const { clock, retries } = setUp();
  const app = retries.forApp('app', 1);
  app.recordFailure('newest', { unstarted: 2 });
  app.recordFailure('newest', { unstarted: 1 });
  expect(app.next('newest')).toMatchObject({ unstarted: { count: 3, until: 2_000 } });
  await clock.advance(2_000);
  app.recordFailure('newest', { unstarted: 3 });
  expect(app.next('newest')).toMatchObject({ unstarted: { count: 3, until: 6_000 } });
});

it('counts instances that crash together once', async () => {
  const { clock, retries } = setUp();
  const app = retries.forApp('app', 1);
  await clock.advance(10_000);
  expect(app.recordFailure('newest', crash('a', 500))).toMatchObject({ count: 1 });
  await clock.advance(100);
  expect(app.recordFailure('newest', crash('b', 600))).toMatchObject({ count: 1, pauseMs: 1_000 });
  await clock.advance(2_000);
  expect(app.recordFailure('newest', crash('c', 900))).toMatchObject({ count: 2, pauseMs: 2_000 });
});

it.each([
  [0, 1_000],
  [400, 600],
  [5_000, 0],
  [-5_000, 1_000],
])(
  'replaces one of several instances that ran %i ms after %i ms, without counting it',
  (ranMs, pauseMs) => {
    const app = setUp().retries.forApp('app', 1);
    app.recordRestart('newest', { run: 'a', ranMs });
    expect(app.isRetrying()).toBe(false);
    expect(app.next('newest')).toMatchObject({ replaceAt: new Map([['a', pauseMs]]) });
    app.recordSettled();
    expect(app.next('newest')).toBeUndefined();
  },
);

it('counts each app separately', () => {
  const { retries } = setUp();
  retries.forApp('one', 1).recordFailure('newest', crash('a'));
  expect(retries.forApp('other', 1).next('newest')).toBeUndefined();
  expect(retries.forApp('other', 1).isRetrying()).toBe(false);
});

it('counts the newest release and the fallback separately', () => {
  const { retries } = setUp();
  retries.forApp('app', 1).recordFailure('fallback', crash('a'));
  retries.forApp('app', 1).recordFailure('fallback', crash('b'));
  expect(retries.forApp('app', 1).next('newest')).toBeUndefined();
  expect(retries.forApp('app', 1).isRetrying()).toBe(false);
  expect(retries.forApp('app', 1).next('fallback')).toMatchObject({
    replaceAt: new Map([
      ['a', 1_000],
      ['b', 2_000],
    ]),
  });
  retries.forApp('app', 1).recordSettled();
  expect(retries.forApp('app', 1).next('fallback')).toBeUndefined();
});

it('starts counting at zero with a new generation', () => {
  const { retries } = setUp();
  retries.forApp('app', 1).recordFailure('newest', crash('a'));
  retries.forApp('app', 1).recordFailure('newest', crash('b'));
  expect(retries.forApp('app', 2).isRetrying()).toBe(false);
  retries.forApp('app', 2).recordFailure('newest', crash('c'));
  expect(replacedAt(retries, 'c', 2)).toBe(1_000);
});

it('starts counting at zero after an app ran for a minute', async () => {
  const { clock, retries } = setUp();
  const app = retries.forApp('app', 1);
  for (const run of ['a', 'b', 'c']) app.recordFailure('newest', crash(run));
  await clock.advance(60_000);
  expect(app.recordFailure('newest', crash('d', 59_999))).toMatchObject({ pauseMs: 8_000 });
  await clock.advance(60_000);
  expect(app.recordFailure('newest', crash('e', 60_000))).toMatchObject({ pauseMs: 1_000 });
});

it('forgets failures once the app has been settled for a minute', async () => {
  const { clock, retries } = setUp();
  retries.forApp('app', 1).recordFailure('newest', crash('a'));
  await clock.advance(60_999);
  retries.forApp('app', 1).recordSettled();
  expect(retries.forApp('app', 1).isRetrying()).toBe(true);
  await clock.advance(1);
  retries.forApp('app', 1).recordSettled();
  expect(retries.forApp('app', 1).isRetrying()).toBe(false);
});

it('forgets the failures of an app', () => {
  const { retries } = setUp();
  retries.forApp('app', 1).recordFailure('newest', crash('a'));
  retries.forget('app');
  expect(retries.forApp('app', 1).next('newest')).toBeUndefined();
});

it.each([
  ['at the requested time', 2_500, 2_500],
  ['immediately when the time has passed', -1, 0],
])('wakes %s', (_, time, delayMs) => {
  const { retries, wakes } = setUp();
  retries.forApp('app', 1).wakeAt(time);
  expect(wakes).toEqual([['app', delayMs]]);
});

it('wakes to protect instances, after at most a minute, until they are', () => {
  const { clock, retries, wakes } = setUp();
  const app = retries.forApp('app', 1);
  for (let attempts = 1; attempts <= 8; attempts += 1) app.recordUnprotected();
  expect(wakes.map(([, delayMs]) => delayMs / 1_000)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  expect(app.protectAt()).toBe(clock.now() + 60_000);
  wakes.length = 0;
  app.recordSettled();
  app.wakeAt(undefined);
  app.wakeAt(clock.now() + 70_000);
  app.wakeAt(clock.now() + 50_000);
  expect(wakes.map(([, delayMs]) => delayMs)).toEqual([60_000, 60_000, 50_000]);
  app.recordProtected();
  app.wakeAt(undefined);
  expect(wakes).toHaveLength(3);
  expect(app.isRetrying()).toBe(false);
});

it('wakes at once, and only once, if instances had to be protected since the plan was made', async () => {
  const { clock, retries, wakes } = setUp();
  const app = retries.forApp('app', 1);
  app.recordUnprotected();
  await clock.advance(1_000);
  app.wakeAt(undefined);
  app.wakeAt(undefined);
  expect(wakes.slice(1)).toEqual([['app', 0]]);
});

it('waits a day after a failure that would repeat itself', () => {
  const app = setUp().retries.forApp('app', 1);
  const { pauseMs } = app.recordFailure('fallback', { step: 'build', isFinal: true });
  expect(pauseMs).toBe(86_400_000);
});

it('repeats a failed pass soon', () => {
  const { retries, wakes } = setUp();
  retries.repeatPass('app');
  expect(wakes).toEqual([['app', 5_000]]);
  expect(retries.forApp('app', 1).isRetrying()).toBe(false);
});

it.each([
  [1, 1_000],
  [2, 2_000],
  [5, 16_000],
  [9, 256_000],
  [10, 300_000],
  [1_000, 300_000],
])('waits after failure %i for %i ms', (attempts, delayMs) => {
  expect(backoffDelayMs(attempts)).toBe(delayMs);
});
