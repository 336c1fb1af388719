import { expect, it } from 'vitest';
import { createBackground } from './background.ts';

it('waits for running work and logs failures', async () => {
  const errors: unknown[] = [];
  const background = createBackground({ logError: (error) => void errors.push(error) });
  const { promise, resolve } = Promise.withResolvers<void>();
  const failure = new Error('The mail server is down');
  background.run(() => promise);
  background.run(() => Promise.reject(failure));
  let isStopped = false;
  const stopping = background.stop().then(() => {
    isStopped = true;
  });
  await new Promise((next) => setImmediate(next));
  expect({ isStopped, errors }).toEqual({ isStopped: false, errors: [failure] });
  resolve();
  await stopping;
});

it('stops at once when no work is running', async () => {
  const background = createBackground({ logError: () => {}, stopTimeoutMs: 2 ** 30 });
  background.run(async () => {});
  await background.stop();
  await background.stop();
});

it('stops after the timeout', async () => {
  const background = createBackground({ logError: () => {}, stopTimeoutMs: 1 });
  background.run(() => new Promise(() => {}));
  await background.stop();
});
