import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { Change } from '../db/change.ts';
import { startDomainScheduler } from './domain-scheduler.ts';

const TICK_MS = 30_000;
const EDIT: Change = {
  kind: 'resource',
  change: {
    id: 'a',
    userId: 'u',
    chartName: 'longshore-app',
    generation: 2,
    isNewGeneration: true,
    isRetryRequested: false,
    isEdgeChange: false,
  },
};

function start(check: (domain: string, signal: AbortSignal) => Promise<void> = async () => {}) {
  const clock = createSimulatedClock();
  const due: { domain: string; ownerId: string | undefined }[] = [];
  const checked: string[] = [];
  const errors: unknown[] = [];
  let notify: (change: Change) => void = () => {};
  const scheduler = startDomainScheduler({
    store: { due: async () => due.splice(0) },
    async check(domain, signal) {
      checked.push(domain);
      await check(domain, signal);
    },
    listen(listener) {
      notify = listener;
      return () => {
        notify = () => {};
      };
    },
    clock,
    logError: (error) => errors.push(error),
  });
  const add = (...domains: string[]) =>
    due.push(...domains.map((domain) => ({ domain, ownerId: domain.split('.')[0] })));
  return { clock, add, checked, errors, scheduler, notify: (change: Change) => notify(change) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('checks what is due every 30 seconds, also after a failure', async () => {
  const { clock, add, checked, errors, scheduler } = start(async (domain) => {
    if (domain === 'a.example') throw new Error('failed');
  });
  await settled();
  for (const domain of ['a.example', 'b.example']) {
    add(domain);
    await clock.advance(TICK_MS);
    await settled();
  }
  expect(checked).toEqual(['a.example', 'b.example']);
  expect(errors).toHaveLength(1);
  await scheduler.stop();
});

it('checks at once when an app is saved or notifications were lost', async () => {
  const { add, checked, notify, scheduler } = start();
  await settled();
  for (const [domain, change] of [
    ['a.example', EDIT],
    ['b.example', { kind: 'missed' }],
  ] as const) {
    add(domain);
    notify(change);
    await settled();
  }
  expect(checked).toEqual(['a.example', 'b.example']);
  await scheduler.stop();
});

it('bounds the checks of all, and of an account with slow name servers', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { add, checked, notify, scheduler } = start(() => promise);
  const slow = Array.from({ length: 50 }, (_, at) => `eve.${at}.example`);
  const others = Array.from({ length: 20 }, (_, at) => `user${at}.example`);
  add(...slow, ...others);
  notify(EDIT);
  await settled();
  expect(checked.filter((domain) => slow.includes(domain))).toHaveLength(2);
  expect(checked).toHaveLength(8);
  // What is being checked is not checked twice.
  add('eve.0.example');
  notify(EDIT);
  await settled();
  expect(checked).toHaveLength(8);
  resolve();
  await settled();
  expect(checked).toHaveLength(70);
  await scheduler.stop();
});

it('stops: aborts what runs, starts nothing new, and leaves no timer', async () => {
  const { clock, add, checked, notify, errors, scheduler } = start(
    (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  );
  add(...Array.from({ length: 20 }, (_, at) => `user${at}.example`));
  notify(EDIT);
  await settled();
  await scheduler.stop();
  expect(checked).toHaveLength(8);
  add('late.example');
  await clock.advance(10 * TICK_MS);
  await settled();
  expect(checked).toHaveLength(8);
  expect(errors).toEqual([]);
});
