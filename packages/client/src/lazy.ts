/** Loads on the first call and returns the same value afterwards. A failed load is retried on the next call. */
export function lazy<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | undefined;
  return () => {
    loaded ??= load().catch((cause: unknown) => {
      loaded = undefined;
      throw cause;
    });
    return loaded;
  };
}
