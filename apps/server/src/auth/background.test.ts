import { expect, it } from 'vitest';
import { createBackground } from './background.ts';

it('waits for the work under way, and reports what failed', async () => {
  const errors: unknown[] = [];
  const background = createBackground({ logError: (error) => void errors.push(error) });
  const { promise, resolve } = Promise.withResolvers<void>();
  const failure = new Error('No mail today');
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

it('has nothing to wait for when all is done', async () => {
  const background = createBackground({ logError: () => {}, patienceMs: 2 ** 30 });
  background.run(async () => {});
  await background.stop();
  await background.stop();
});

it('does not wait for ever', async () => {
  const background = createBackground({ logError: () => {}, patienceMs: 1 });
  background.run(() => new Promise(() => {}));
  await background.stop();
});
