/** Below this, a process has time for a collection. It takes some 20 ms in a worker of the edge, and longer in a large server. */
const QUIET_UTILIZATION = 0.1;
/** How much longer than a collection took to wait before the next one: nothing else runs meanwhile. */
const PAUSE_FACTOR = 1_000;
/** What a few visitors need comes and goes. */
const MIN_GROWTH_BYTES = 8_000_000;
const MIN_GROWTH_FACTOR = 1.1;

export type MemoryReducerDeps = {
  usedBytes(): number;
  collectGarbage(): void;
  now(): number;
};

/** Of this process. Needs the flag `--expose-gc`. */
export const processMemory: MemoryReducerDeps = {
  usedBytes: () => process.memoryUsage.rss(),
  // Returns as much as possible to the machine.
  collectGarbage: () =>
    globalThis.gc?.({ type: 'major', flavor: 'last-resort', execution: 'sync' }),
  now: () => performance.now(),
};

/** Frees the memory that only a load needed, once the load is over: V8 would keep it until the next one. */
export type MemoryReducer = {
  /** `utilization`: the busy share of the event loop since the last call. */
  check(utilization: number): void;
};

export function createMemoryReducer({
  usedBytes,
  collectGarbage,
  now,
}: MemoryReducerDeps): MemoryReducer {
  let neededBytes = usedBytes();
  let nextAt = now();
  return {
    check(utilization) {
      const used = usedBytes();
      neededBytes = Math.min(neededBytes, used);
      const limit = Math.max(neededBytes * MIN_GROWTH_FACTOR, neededBytes + MIN_GROWTH_BYTES);
      const startedAt = now();
      if (utilization >= QUIET_UTILIZATION || used < limit || startedAt < nextAt) return;
      collectGarbage();
      nextAt = now() + PAUSE_FACTOR * (now() - startedAt);
      neededBytes = usedBytes();
    },
  };
}
