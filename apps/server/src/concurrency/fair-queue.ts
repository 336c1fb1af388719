import { createKeyedSemaphore } from './keyed-semaphore.ts';
import { createSemaphore, type Release } from './semaphore.ts';

/** Must not reject. */
type Work = () => Promise<void>;

/** Runs the work at once if the limits allow it, or else when the rotation reaches its key. */
export type FairQueue = { add(key: string, work: Work): void };

export type FairQueueLimits = { maxRunning: number; maxRunningPerKey: number };

/** Limits what runs at once, and serves the keys in rotation, so that one key's backlog does not delay the others. */
export function createFairQueue({ maxRunning, maxRunningPerKey }: FairQueueLimits): FairQueue {
  const total = createSemaphore(maxRunning);
  const perKey = createKeyedSemaphore(maxRunningPerKey);
  /** Waiting work per key, never empty. The first key is served next. */
  const backlogs = new Map<string, Work[]>();

  function startWaiting(): void {
    for (;;) {
      const release = total.tryAcquire();
      if (release === undefined) return;
      if (startNext(release)) continue;
      release();
      return;
    }
  }

  function startNext(releaseTotal: Release): boolean {
    for (const [key, backlog] of backlogs) {
      const releaseKey = perKey.tryAcquire(key);
      if (releaseKey === undefined) continue;
      const work = backlog.shift() as Work;
      moveToEnd(key);
      void work().finally(() => {
        releaseKey();
        releaseTotal();
        moveToEnd(key);
        startWaiting();
      });
      return true;
    }
    return false;
  }

  function moveToEnd(key: string): void {
    const backlog = backlogs.get(key) ?? [];
    backlogs.delete(key);
    if (backlog.length > 0) backlogs.set(key, backlog);
  }

  return {
    add(key, work) {
      const backlog = backlogs.get(key) ?? [];
      backlogs.set(key, backlog);
      backlog.push(work);
      startWaiting();
    },
  };
}
