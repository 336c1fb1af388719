export type InterruptibleSleep = { sleep(milliseconds: number): Promise<void>; interrupt(): void };

export function createInterruptibleSleep(): InterruptibleSleep {
  let finish: (() => void) | undefined;
  return {
    sleep(milliseconds) {
      return new Promise((resolve) => {
        const timer = setTimeout(done, milliseconds);
        function done(): void {
          clearTimeout(timer);
          finish = undefined;
          resolve();
        }
        finish = done;
      });
    },
    interrupt: () => finish?.(),
  };
}

/** Wakes all waiters at once. A waiter that was woken or aborted leaves no listener behind. */
export type ChangeSignal = { wait(signal?: AbortSignal): Promise<void>; notify(): void };

export function createChangeSignal(): ChangeSignal {
  const waiters = new Set<() => void>();
  return {
    wait(signal) {
      if (signal?.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        function resume(): void {
          waiters.delete(resume);
          signal?.removeEventListener('abort', resume);
          resolve();
        }
        waiters.add(resume);
        signal?.addEventListener('abort', resume);
      });
    },
    notify() {
      for (const resume of [...waiters]) resume();
    },
  };
}
