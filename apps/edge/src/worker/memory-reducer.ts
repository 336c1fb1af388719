/** Below this, a worker has time for a collection: it takes some 20 ms. */
const QUIET_UTILIZATION = 0.1;
/** What a few visitors need comes and goes. */
const MIN_GROWTH_BYTES = 8_000_000;
const MIN_GROWTH_FACTOR = 1.1;

export type MemoryReducerDeps = {
  usedBytes(): number;
  collectGarbage(): void;
};

/** Frees the memory that only a load needed, once the load is over: V8 would keep it until the next one. */
export type MemoryReducer = {
  /** `utilization`: the busy share of the event loop since the last call. */
  check(utilization: number): void;
};

export function createMemoryReducer({
  usedBytes,
  collectGarbage,
}: MemoryReducerDeps): MemoryReducer {
  let neededBytes = usedBytes();
  return {
    check(utilization) {
      const used = usedBytes();
      neededBytes = Math.min(neededBytes, used);
      const limit = Math.max(neededBytes * MIN_GROWTH_FACTOR, neededBytes + MIN_GROWTH_BYTES);
      if (utilization >= QUIET_UTILIZATION || used < limit) return;
      collectGarbage();
      neededBytes = usedBytes();
    },
  };
}
