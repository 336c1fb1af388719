export type BoundedCache<Value> = {
  get(key: string): Value | undefined;
  /** Replaces the oldest entries if the cache is full. */
  set(key: string, value: Value): void;
};

/** A limit of the total weight beside the number of entries. */
type WeightLimit<Value> = { maxWeight: number; weightOf(value: Value): number };

export function createBoundedCache<Value>(
  maxEntries: number,
  { maxWeight, weightOf }: WeightLimit<Value> = { maxWeight: 0, weightOf: () => 0 },
): BoundedCache<Value> {
  const entries = new Map<string, Value>();
  let weight = 0;
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      const replaced = entries.get(key);
      if (replaced !== undefined) weight -= weightOf(replaced);
      entries.set(key, value);
      weight += weightOf(value);
      for (const [oldest, dropped] of entries) {
        if (entries.size <= maxEntries && weight <= maxWeight) break;
        entries.delete(oldest);
        weight -= weightOf(dropped);
      }
    },
  };
}
