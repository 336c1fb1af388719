/** Returns the permit. Only the first call counts. */
export type Release = () => void;

export type Semaphore = {
  /** Waits for a permit, first come, first served. Aborting the signal ends the wait with its reason. */
  acquire(signal?: AbortSignal): Promise<Release>;
  /** Takes a permit only if one is free now. */
  tryAcquire(): Release | undefined;
  /** Runs the work while it holds a permit. */
  run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
};

export function createSemaphore(permits: number): Semaphore {
  let free = permits;
  const waiting = new Set<() => void>();
  return {
    acquire,
    tryAcquire() {
      if (free === 0) return undefined;
      free -= 1;
      return createRelease();
    },
    async run(work, signal) {
      const release = await acquire(signal);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };

  async function acquire(signal?: AbortSignal): Promise<Release> {
    signal?.throwIfAborted();
    if (free > 0) free -= 1;
    else await waitForPermit(signal);
    return createRelease();
  }

  function createRelease(): Release {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      passOn();
    };
  }

  /** Goes straight to the longest waiting caller, so that a later `acquire` cannot overtake it. */
  function passOn(): void {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  }

  function waitForPermit(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = () => {
        waiting.delete(grant);
        reject(signal?.reason);
      };
      const grant = () => {
        waiting.delete(grant);
        signal?.removeEventListener('abort', cancel);
        resolve();
      };
      signal?.addEventListener('abort', cancel, { once: true });
      waiting.add(grant);
    });
  }
}
