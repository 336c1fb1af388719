import { SESSION_KEYS } from '../auth/session-store.ts';
import { browserStorage } from '../browser/browser-storage.ts';
import type { KeyValueStorage } from '../ports.ts';
import { cookieStorage } from './cookie-storage.ts';
import { type ItemStorage, writeThrough } from './write-through.ts';

/**
 * The storages of spec §9. Those of phones are handed in, because only the app can have them. They are read
 * once; a storage that answers at once, and is shared with other pages, is given to the client as it is.
 */
export type StorageChoice =
  | { type: 'web' }
  | { type: 'cookie'; document?: { cookie: string } }
  | { type: 'react-native' | 'custom'; adapter: ItemStorage }
  | { type: 'capacitor'; adapter: CapacitorStorage }
  | { type: 'expo-secure-storage'; adapter: ExpoStorage };

export type CapacitorStorage = {
  get(wish: { key: string }): Promise<{ value: string | null }>;
  set(wish: { key: string; value: string }): Promise<void>;
  remove(wish: { key: string }): Promise<void>;
};
export type ExpoStorage = {
  getItemAsync(key: string): Promise<string | null>;
  setItemAsync(key: string, value: string): Promise<void>;
  deleteItemAsync(key: string): Promise<void>;
};

/** Opens the storage that `createClient` takes. */
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
