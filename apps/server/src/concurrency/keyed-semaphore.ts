import { createSemaphore, type Release, type Semaphore } from './semaphore.ts';

/** A semaphore per key. Work on different keys never waits for each other. */
export type KeyedSemaphore = {
  acquire(key: string, signal?: AbortSignal): Promise<Release>;
  tryAcquire(key: string): Release | undefined;
  run<Result>(key: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
};

export type KeyedMutex = Pick<KeyedSemaphore, 'run'>;

/** Runs one piece of work at a time per key. */
export function createKeyedMutex(): KeyedMutex {
  return createKeyedSemaphore(1);
}

/** Keys without holders and waiters take no memory. */
export function createKeyedSemaphore(permitsPerKey: number): KeyedSemaphore {
  const entries = new Map<string, { semaphore: Semaphore; users: number }>();

  /** Counts a holder or waiter of the key; returns the semaphore and how to end the use. */
  function use(key: string): { semaphore: Semaphore; endUse: () => void } {
    const entry = entries.get(key) ?? { semaphore: createSemaphore(permitsPerKey), users: 0 };
    entries.set(key, entry);
    entry.users += 1;
    const endUse = () => {
      entry.users -= 1;
      if (entry.users === 0) entries.delete(key);
    };
    return { semaphore: entry.semaphore, endUse };
  }

  return {
    async acquire(key, signal) {
      const { semaphore, endUse } = use(key);
      try {
        return releasing(await semaphore.acquire(signal), endUse);
      } catch (error) {
        endUse();
        throw error;
      }
    },
    tryAcquire(key) {
      const { semaphore, endUse } = use(key);
      const release = semaphore.tryAcquire();
      if (release !== undefined) return releasing(release, endUse);
      endUse();
      return undefined;
    },
    async run(key, work, signal) {
      const { semaphore, endUse } = use(key);
      return await semaphore.run(work, signal).finally(endUse);
    },
  };
}

function releasing(release: Release, endUse: () => void): Release {
  let isReleased = false;
  return () => {
    if (isReleased) return;
    isReleased = true;
    release();
    endUse();
  };
}
