/** More would keep the results of the first ones waiting. */
const MAX_KEYS = 100;

type Waiting<Key, Value> = { key: Key; result: PromiseWithResolvers<Value> };

/**
 * Loads values by their keys, in the order of the keys. Keys that are asked for while a load runs share the next one, so a value is
 * never older than the question. If a load fails, each of its keys is loaded by itself: one must not fail because of another.
 */
export function createBatch<Key, Value>(
  load: (keys: Key[]) => Promise<Value[]>,
): (key: Key) => Promise<Value> {
  const waiting: Waiting<Key, Value>[] = [];
  let isLoading = false;

  async function settle(batch: Waiting<Key, Value>[]): Promise<void> {
    try {
      const values = await load(batch.map(({ key }) => key));
      for (const [at, { result }] of batch.entries()) result.resolve(values[at] as Value);
    } catch (error) {
      if (batch.length === 1) batch[0]?.result.reject(error);
      else await Promise.all(batch.map((one) => settle([one])));
    }
  }

  async function loadAll(): Promise<void> {
    isLoading = true;
    while (waiting.length > 0) await settle(waiting.splice(0, MAX_KEYS));
    isLoading = false;
  }

  return (key) => {
    const result = Promise.withResolvers<Value>();
    waiting.push({ key, result });
    if (!isLoading) void loadAll();
    return result.promise;
  };
}
