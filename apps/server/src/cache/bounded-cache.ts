export type BoundedCache<Value> = {
  get(key: string): Value | undefined;
  /** Replaces the oldest entry if the cache is full. */
  set(key: string, value: Value): void;
};

export function createBoundedCache<Value>(maxEntries: number): BoundedCache<Value> {
  const entries = new Map<string, Value>();
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      const [oldest] = entries.keys();
      if (entries.size >= maxEntries && !entries.has(key) && oldest !== undefined) {
        entries.delete(oldest);
      }
      entries.set(key, value);
    },
  };
}
