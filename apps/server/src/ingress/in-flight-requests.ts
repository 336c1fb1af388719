import type { Address } from '../engines/engine.ts';

/** Counts the requests and websockets in flight on each target, and reports when a target has none left. */
export type InFlightRequests = {
  count(target: Address): number;
  /** Counts a request. Returns a function to call when it has ended; only the first call counts. */
  begin(target: Address): () => void;
  /** Resolves when no request is in flight on the target, or after the timeout. */
  drained(target: Address, timeoutMs: number): Promise<void>;
};

export function createInFlightRequests(): InFlightRequests {
  const counts = new Map<string, number>();
  const waitersByTarget = new Map<string, Set<() => void>>();

  function end(key: string): void {
    const remaining = (counts.get(key) ?? 1) - 1;
    if (remaining > 0) {
      counts.set(key, remaining);
      return;
    }
    counts.delete(key);
    for (const finishWaiting of waitersByTarget.get(key) ?? []) finishWaiting();
    waitersByTarget.delete(key);
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
    drained(target, timeoutMs) {
      const key = keyOf(target);
      if (!counts.has(key)) return Promise.resolve();
      const waiters = waitersByTarget.get(key) ?? new Set();
      waitersByTarget.set(key, waiters);
      return new Promise((resolve) => {
        const timer = setTimeout(finishWaiting, timeoutMs);
        function finishWaiting(): void {
          clearTimeout(timer);
          waiters.delete(finishWaiting);
          resolve();
        }
        waiters.add(finishWaiting);
      });
    },
  };
}

function keyOf({ host, port }: Address): string {
  return `${host}:${port}`;
}
