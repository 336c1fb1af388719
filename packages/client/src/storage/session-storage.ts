import { REFRESH_COOKIE_DAYS } from '@longshore/contract';
import { browserStorage } from '../browser/browser-ports.ts';
import type { KeyValueStorage } from '../ports.ts';
import { SESSION_KEYS } from './session-store.ts';

/**
 * The storage types of spec-map 9.3.7. The app passes the adapters of mobile storages, because only the app has them.
 * Asynchronous storages are read once at the start and written through; synchronous ones, which other pages may share,
 * are used directly.
 */
export type StorageChoice =
  | { type: 'web' }
  | { type: 'cookie'; document?: { cookie: string } }
  | { type: 'react-native' | 'custom'; adapter: ItemStorage }
  | { type: 'capacitor'; adapter: CapacitorStorage }
  | { type: 'expo-secure-storage'; adapter: ExpoStorage };

type Awaitable<T> = T | Promise<T>;

export type ItemStorage = {
  getItem(key: string): Awaitable<string | null>;
  setItem(key: string, value: string): Awaitable<void>;
  removeItem(key: string): Awaitable<void>;
};
export type CapacitorStorage = {
  get(options: { key: string }): Promise<{ value: string | null }>;
  set(options: { key: string; value: string }): Promise<void>;
  remove(options: { key: string }): Promise<void>;
};
export type ExpoStorage = {
  getItemAsync(key: string): Promise<string | null>;
  setItemAsync(key: string, value: string): Promise<void>;
  deleteItemAsync(key: string): Promise<void>;
};

export async function openSessionStorage(
  choice: StorageChoice,
  keys = SESSION_KEYS,
): Promise<KeyValueStorage> {
  switch (choice.type) {
    case 'web':
      return browserStorage();
    case 'cookie':
      return cookieStorage(choice.document ?? document);
    case 'react-native':
    case 'custom':
      return writeThrough(choice.adapter, keys);
    case 'capacitor': {
      const { adapter } = choice;
      const items: ItemStorage = {
        getItem: async (key) => (await adapter.get({ key })).value,
        setItem: (key, value) => adapter.set({ key, value }),
        removeItem: (key) => adapter.remove({ key }),
      };
      return writeThrough(items, keys);
    }
    case 'expo-secure-storage': {
      const { adapter } = choice;
      const items: ItemStorage = {
        getItem: (key) => adapter.getItemAsync(key),
        setItem: (key, value) => adapter.setItemAsync(key, value),
        removeItem: (key) => adapter.deleteItemAsync(key),
      };
      return writeThrough(items, keys);
    }
  }
}

/** Cookies with `SameSite=Lax` that expire after 30 days (spec-map 9.3.5). */
function cookieStorage(page: { cookie: string }): KeyValueStorage {
  const maxAgeSeconds = REFRESH_COOKIE_DAYS * 24 * 60 * 60;
  const write = (key: string, value: string, maxAge: number) => {
    page.cookie = `${key}=${encodeURIComponent(value)}; Max-Age=${maxAge}; Path=/; SameSite=Lax`;
  };
  return {
    getItem(key) {
      const found = page.cookie.split('; ').find((cookie) => cookie.startsWith(`${key}=`));
      return found === undefined ? null : decodeURIComponent(found.slice(key.length + 1));
    },
    setItem: (key, value) => write(key, value, maxAgeSeconds),
    removeItem: (key) => write(key, '', 0),
  };
}

/** Makes an asynchronous storage synchronous: reads the keys once, then writes changes in the background. */
async function writeThrough(
  adapter: ItemStorage,
  keys: readonly string[],
): Promise<KeyValueStorage> {
  const values = new Map<string, string>();
  for (const key of keys) {
    const value = await adapter.getItem(key);
    if (value !== null) values.set(key, value);
  }
  /** Writes keep their order; a failed write does not stop the next one. */
  let last: Promise<unknown> = Promise.resolve();
  const enqueue = (write: () => Awaitable<void>) => {
    last = last.then(write).catch(() => undefined);
  };
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem(key, value) {
      values.set(key, value);
      enqueue(() => adapter.setItem(key, value));
    },
    removeItem(key) {
      values.delete(key);
      enqueue(() => adapter.removeItem(key));
    },
  };
}
