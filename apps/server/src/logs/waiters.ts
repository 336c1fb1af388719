/** Those who wait for a change. Nobody leaves a trace once woken or gone. */
export type Waiters = { wait(signal?: AbortSignal): Promise<void>; wake(): void };

export function createWaiters(): Waiters {
  const waiting = new Set<() => void>();
  return {
    wait(signal) {
      if (signal?.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        function resume(): void {
          waiting.delete(resume);
          signal?.removeEventListener('abort', resume);
          resolve();
        }
        waiting.add(resume);
        signal?.addEventListener('abort', resume);
      });
    },
    wake() {
      for (const resume of [...waiting]) resume();
    },
  };
}
