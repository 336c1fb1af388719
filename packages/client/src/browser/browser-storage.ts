import type { KeyValueStorage } from '../ports.ts';

/** The local storage, or the memory of this page where the browser refuses it. */
export function browserStorage(): KeyValueStorage {
  try {
    const key = 'longshore-storage-check';
    localStorage.setItem(key, key);
    localStorage.removeItem(key);
    return localStorage;
  } catch {
    return memoryStorage();
  }
}

function memoryStorage(): KeyValueStorage {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}
