import { expect, it } from 'vitest';
import { createSemaphore } from './semaphore.ts';

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

it('grants no more permits than it has, and the next one after a release', async () => {
  const semaphore = createSemaphore(1);
  const release = await semaphore.acquire();
  let isGranted = false;
  const second = semaphore.acquire().then((releaseSecond) => {
    isGranted = true;
    return releaseSecond;
  });
  await settle();
  expect(isGranted).toBe(false);
  release();
  (await second)();
  expect(isGranted).toBe(true);
});

it('keeps no permit for a caller that aborted its wait', async () => {
  const semaphore = createSemaphore(1);
  const release = await semaphore.acquire();
  const abort = new AbortController();
  const waiting = semaphore.acquire(abort.signal);
  abort.abort(new Error('cancelled'));
  await expect(waiting).rejects.toThrow('cancelled');
  release();
  (await semaphore.acquire())();
});

it('grants the permit to the next caller when the one before it aborted its wait', async () => {
  const semaphore = createSemaphore(1);
  const release = await semaphore.acquire();
  const abort = new AbortController();
  const aborted = expect(semaphore.acquire(abort.signal)).rejects.toThrow('cancelled');
  const next = semaphore.acquire(new AbortController().signal);
  abort.abort(new Error('cancelled'));
  await aborted;
  release();
  (await next)();
});

it('grants permits in the order of the calls', async () => {
  const semaphore = createSemaphore(1);
  const release = await semaphore.acquire();
  const granted: string[] = [];
  const acquire = (name: string) =>
    semaphore.acquire().then((releaseAgain) => {
      granted.push(name);
      releaseAgain();
    });
  const second = acquire('second');
  release();
  await Promise.all([acquire('third'), second]);
  expect(granted).toEqual(['second', 'third']);
});

it('grants nothing to a signal that is aborted already', async () => {
  const semaphore = createSemaphore(1);
  await expect(semaphore.acquire(AbortSignal.abort(new Error('cancelled')))).rejects.toThrow(
    'cancelled',
  );
  (await semaphore.acquire())();
});

it('takes a permit without waiting only if one is free', async () => {
  const semaphore = createSemaphore(1);
  const release = semaphore.tryAcquire();
  expect(release).toBeDefined();
  expect(semaphore.tryAcquire()).toBeUndefined();
  release?.();
  expect(semaphore.tryAcquire()).toBeDefined();
});

it('counts a second release of the same permit as none', async () => {
  const semaphore = createSemaphore(1);
  const release = await semaphore.acquire();
  release();
  release();
  expect(semaphore.tryAcquire()).toBeDefined();
  expect(semaphore.tryAcquire()).toBeUndefined();
});

it('releases the permit after work that failed', async () => {
  const semaphore = createSemaphore(1);
  await expect(semaphore.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await semaphore.run(async () => 'done')).toBe('done');
});
