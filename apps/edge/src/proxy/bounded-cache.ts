/** Peers choose the keys. Longer ones are computed each time: thousands of them would fill the memory. */
const MAX_KEY_LENGTH = 64;

/** Remembers the results of a function. It starts over when it has `maxEntries`. */
export function boundedCache<Value extends string>(
  compute: (key: string) => Value,
  maxEntries: number,
): (key: string) => Value {
  const known = new Map<string, Value>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = compute(key);
    if (key.length > MAX_KEY_LENGTH) return value;
    if (known.size >= maxEntries) known.clear();
    known.set(key, value);
    return value;
  };
}
