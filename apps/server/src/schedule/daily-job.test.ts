import { expect, it } from 'vitest';
import { startDailyJob } from './daily-job.ts';

const DAY_MS = 86_400_000;

/** A clock with at most one timer, which the test fires. */
function singleTimer() {
  let pending: { run: () => void; ms: number } | undefined;
  return {
    pending: () => pending?.ms,
    fire() {
      const { run } = pending ?? { run: () => {} };
      pending = undefined;
      run();
    },
    clock: {
      setTimeout: (run: () => void, ms: number) => {
        pending = { run, ms };
        return pending;
      },
      clearTimeout: (timer: unknown) => {
        if (timer === pending) pending = undefined;
      },
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('runs at the start and once a day, also after a failed run', async () => {
  const timer = singleTimer();
  const errors: unknown[] = [];
  let runs = 0;
  const job = async () => {
    runs += 1;
    if (runs === 1) throw new Error('failed');
  };
  const daily = startDailyJob(job, { clock: timer.clock, logError: (error) => errors.push(error) });
  for (const run of [1, 2, 3]) {
    await settled();
    expect([runs, timer.pending()]).toEqual([run, DAY_MS]);
    timer.fire();
  }
  expect(errors).toHaveLength(1);
  await daily.stop();
});

it('leaves no timer when stopped, and waits for the run in progress', async () => {
  const timer = singleTimer();
  const { promise, resolve } = Promise.withResolvers<void>();
  const daily = startDailyJob(() => promise, { clock: timer.clock, logError: () => {} });
  let isStopped = false;
  const stopping = daily.stop().then(() => {
    isStopped = true;
  });
  await settled();
  expect(isStopped).toBe(false);
  resolve();
  await stopping;
  expect(timer.pending()).toBeUndefined();
});
