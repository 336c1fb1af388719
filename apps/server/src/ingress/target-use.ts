import type { Address } from '../engines/engine.ts';

/** Counts the requests and websockets on each target, and knows when the last one has ended. */
export type TargetUse = {
  count(target: Address): number;
  /** One more use. Answers how to give it back; giving back twice counts once. */
  begin(target: Address): () => void;
  /** Resolves when nothing uses the target, or the time is up. */
  ended(target: Address, timeoutMs: number): Promise<void>;
};

export function createTargetUse(): TargetUse {
  const counts = new Map<string, number>();
  const waiting = new Map<string, Set<() => void>>();

  function end(key: string): void {
    const left = (counts.get(key) ?? 1) - 1;
    if (left > 0) {
      counts.set(key, left);
      return;
    }
    counts.delete(key);
    for (const wake of waiting.get(key) ?? []) wake();
    waiting.delete(key);
  }

  return {
    count: (target) => counts.get(keyOf(target)) ?? 0,
    begin(target) {
      const key = keyOf(target);
      let isOpen = true;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return () => {
        if (isOpen) end(key);
        isOpen = false;
      };
    },
    ended(target, timeoutMs) {
      const key = keyOf(target);
      if (!counts.has(key)) return Promise.resolve();
      const waiters = waiting.get(key) ?? new Set();
      waiting.set(key, waiters);
      return new Promise((resolve) => {
        const timer = setTimeout(wake, timeoutMs);
        function wake(): void {
          clearTimeout(timer);
          waiters.delete(wake);
          resolve();
        }
        waiters.add(wake);
      });
    },
  };
}

function keyOf({ host, port }: Address): string {
  return `${host}:${port}`;
}
