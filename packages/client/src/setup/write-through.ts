import type { KeyValueStorage } from '../ports.ts';

export type Awaitable<T> = T | Promise<T>;

export type ItemStorage = {
  getItem(key: string): Awaitable<string | null>;
  setItem(key: string, value: string): Awaitable<void>;
  removeItem(key: string): Awaitable<void>;
};

/** A storage that answers late, read once and then written through. */
export async function writeThrough(
  adapter: ItemStorage,
  keys: readonly string[],
): Promise<KeyValueStorage> {
  const values = new Map<string, string>();
  for (const key of keys) {
    const value = await adapter.getItem(key);
    if (value !== null) values.set(key, value);
  }
  /** Writes keep their order; one that fails is made good by the next. */
  let last: Promise<unknown> = Promise.resolve();
  const later = (write: () => Awaitable<void>) => {
    last = last.then(write).catch(() => undefined);
  };
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem(key, value) {
      values.set(key, value);
      later(() => adapter.setItem(key, value));
    },
    removeItem(key) {
      values.delete(key);
      later(() => adapter.removeItem(key));
    },
  };
}
