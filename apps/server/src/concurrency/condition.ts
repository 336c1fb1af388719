/** A condition variable: callers wait for a notification, and then check their condition again. */
export type Condition = {
  /** Resolves at the next notification, or when the signal is aborted. */
  wait(signal?: AbortSignal): Promise<void>;
  notifyAll(): void;
};

export function createCondition(): Condition {
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
    notifyAll() {
      for (const resume of [...waiting]) resume();
    },
  };
}
