import { describe, expect, it } from 'vitest';
import { createKeyedMutex, createKeyedSemaphore } from './keyed-semaphore.ts';

describe('a keyed semaphore', () => {
  it('limits each key by itself', async () => {
    const semaphore = createKeyedSemaphore(2);
    const started: string[] = [];
    const start = async (name: string, key: string) => {
      const release = await semaphore.acquire(key);
      started.push(name);
      return release;
    };
    const releaseFirst = await start('ada 1', 'ada');
    await start('ada 2', 'ada');
    const third = start('ada 3', 'ada');
    await start('eve 1', 'eve');
    expect(started).toEqual(['ada 1', 'ada 2', 'eve 1']);
    releaseFirst();
    await third;
    expect(started).toEqual(['ada 1', 'ada 2', 'eve 1', 'ada 3']);
  });

  it('lets a waiting caller abort', async () => {
    const semaphore = createKeyedSemaphore(1);
    const release = await semaphore.acquire('ada');
    const abort = new AbortController();
    const waiting = semaphore.acquire('ada', abort.signal);
    abort.abort(new Error('cancelled'));
    await expect(waiting).rejects.toThrow('cancelled');
    release();
    (await semaphore.acquire('ada'))();
  });

  it('refuses without waiting when all permits of the key are taken', () => {
    const semaphore = createKeyedSemaphore(1);
    const release = semaphore.tryAcquire('ada');
    expect(semaphore.tryAcquire('ada')).toBeUndefined();
    expect(semaphore.tryAcquire('eve')).toBeDefined();
    release?.();
    release?.();
    expect(semaphore.tryAcquire('ada')).toBeDefined();
    expect(semaphore.tryAcquire('ada')).toBeUndefined();
  });
});

it('a keyed mutex runs work on one key in order, also after a failure, and other keys in parallel', async () => {
  const mutex = createKeyedMutex();
  const done: string[] = [];
  const first = Promise.withResolvers<void>();
  const failing = mutex.run('a', async () => {
    await first.promise;
    done.push('first');
    throw new Error('failed');
  });
  const second = mutex.run('a', async () => done.push('second'));
  await mutex.run('b', async () => done.push('other'));
  first.resolve();
  await expect(failing).rejects.toThrow('failed');
  await second;
  expect(done).toEqual(['other', 'first', 'second']);
});
