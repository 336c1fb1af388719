import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { createProcessRetries } from './process-retries.ts';

const crash = (run: string, ranMs = 0, release = 1) => ({ release, run, ranMs });

function setUp() {
  const clock = createSimulatedClock(0);
  return { clock, app: createProcessRetries(clock).forApp('app', 1) };
}

it('waits longer after each failure in a row of one process', () => {
  const { app } = setUp();
  expect(app.recordFailure('worker', crash('a'))).toMatchObject({ count: 1, pauseMs: 1_000 });
  expect(app.recordFailure('worker', crash('b'))).toMatchObject({ count: 2, pauseMs: 2_000 });
  expect(app.recordFailure('clock', crash('c'))).toMatchObject({ count: 1, pauseMs: 1_000 });
});

it('counts instances that crash together once', async () => {
  const { clock, app } = setUp();
  await clock.advance(5_000);
  app.recordFailure('worker', crash('a', 5_000));
  await clock.advance(100);
  expect(app.recordFailure('worker', crash('b', 5_100))).toMatchObject({
    count: 1,
    pauseMs: 1_000,
  });
  await clock.advance(3_000);
  expect(app.recordFailure('worker', crash('c', 1_900))).toMatchObject({
    count: 2,
    pauseMs: 2_000,
  });
});

it('counts the failures of each release from zero', () => {
  const { app } = setUp();
  for (const run of ['a', 'b', 'c']) app.recordFailure('worker', crash(run));
  expect(app.recordFailure('worker', crash('d', 0, 2))).toMatchObject({ count: 1, pauseMs: 1_000 });
  expect(app.next().get('worker')).toMatchObject({
    release: 2,
    replaceAt: new Map([['d', 1_000]]),
    failingUntil: 11_000,
  });
});

it('ends the wait, also the one for the process to recover', async () => {
  const { clock, app } = setUp();
  for (let run = 0; run < 12; run += 1) app.recordFailure('worker', crash(String(run)));
  app.endWait();
  expect(app.next().get('worker')?.failingUntil).toBe(10_000);
  // A process that has recovered does not fail again.
  await clock.advance(20_000);
  app.endWait();
  expect(app.next().get('worker')?.failingUntil).toBe(10_000);
});
