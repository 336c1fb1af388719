import { expect, it } from 'vitest';
import { startDaily } from './daily.ts';

const DAY_MS = 86_400_000;

/** A clock with at most one timer, which the test lets pass. */
function oneTimer() {
  let pending: { run: () => void; ms: number } | undefined;
  return {
    pending: () => pending?.ms,
    pass() {
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

it('works at the start and once a day, also after a day that failed', async () => {
  const timer = oneTimer();
  const errors: unknown[] = [];
  let days = 0;
  const work = async () => {
    days += 1;
    if (days === 1) throw new Error('a bad day');
  };
  const daily = startDaily(work, { clock: timer.clock, logError: (error) => errors.push(error) });
  for (const day of [1, 2, 3]) {
    await settled();
    expect([days, timer.pending()]).toEqual([day, DAY_MS]);
    timer.pass();
  }
  expect(errors).toHaveLength(1);
  await daily.stop();
});

it('leaves no timer when stopped, and waits for the work in flight', async () => {
  const timer = oneTimer();
  const { promise, resolve } = Promise.withResolvers<void>();
  const daily = startDaily(() => promise, { clock: timer.clock, logError: () => {} });
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
