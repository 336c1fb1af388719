import { createMemoryStorage, settle } from '@longshore/testkit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openSessionStorage, type StorageChoice } from './session-storage.ts';

const KEYS = ['a', 'b'];

describe('an asynchronous storage', () => {
  it.each<[string, (stored: Map<string, string>) => StorageChoice]>([
    [
      'react-native',
      (stored) => ({
        type: 'react-native',
        adapter: {
          getItem: async (key) => stored.get(key) ?? null,
          setItem: async (key, value) => void stored.set(key, value),
          removeItem: async (key) => void stored.delete(key),
        },
      }),
    ],
    [
      'custom',
      (stored) => ({
        type: 'custom',
        adapter: {
          getItem: (key) => stored.get(key) ?? null,
          setItem: (key, value) => void stored.set(key, value),
          removeItem: (key) => void stored.delete(key),
        },
      }),
    ],
    [
      'capacitor',
      (stored) => ({
        type: 'capacitor',
        adapter: {
          get: async ({ key }) => ({ value: stored.get(key) ?? null }),
          set: async ({ key, value }) => void stored.set(key, value),
          remove: async ({ key }) => void stored.delete(key),
        },
      }),
    ],
    [
      'expo-secure-storage',
      (stored) => ({
        type: 'expo-secure-storage',
        adapter: {
          getItemAsync: async (key) => stored.get(key) ?? null,
          setItemAsync: async (key, value) => void stored.set(key, value),
          deleteItemAsync: async (key) => void stored.delete(key),
        },
      }),
    ],
  ])('of type %s is read once and written through', async (_, choice) => {
    const stored = new Map([['a', '1']]);
    const storage = await openSessionStorage(choice(stored), KEYS);
    expect([storage.getItem('a'), storage.getItem('b')]).toEqual(['1', null]);
    storage.setItem('b', '2');
    storage.removeItem('a');
    expect([storage.getItem('a'), storage.getItem('b')]).toEqual([null, '2']);
    await settle();
    expect([...stored]).toEqual([['b', '2']]);
  });
});

describe('the local storage', () => {
  afterEach(() => void vi.unstubAllGlobals());

  it('of the browser is used directly', async () => {
    const fakeLocalStorage = createMemoryStorage({ a: '1' });
    vi.stubGlobal('localStorage', fakeLocalStorage);
    const storage = await openSessionStorage({ type: 'web' }, KEYS);
    storage.setItem('b', '2');
    expect(storage.getItem('a')).toBe('1');
    expect(fakeLocalStorage.contents()).toEqual({ a: '1', b: '2' });
  });

  it('is replaced by memory if the browser denies access', async () => {
    vi.stubGlobal('localStorage', undefined);
    const storage = await openSessionStorage({ type: 'web' }, KEYS);
    storage.setItem('a', '1');
    expect(storage.getItem('a')).toBe('1');
    storage.removeItem('a');
    expect(storage.getItem('a')).toBeNull();
  });
});

describe('a cookie', () => {
  it('expires after 30 days and is SameSite=Lax', async () => {
    const page = { cookie: '' };
    const storage = await openSessionStorage({ type: 'cookie', document: page }, KEYS);
    storage.setItem('a', 'x y');
    expect(page.cookie).toBe('a=x%20y; Max-Age=2592000; Path=/; SameSite=Lax');
    page.cookie = 'other=1; a=x%20y';
    expect([storage.getItem('a'), storage.getItem('b')]).toEqual(['x y', null]);
    storage.removeItem('a');
    expect(page.cookie).toBe('a=; Max-Age=0; Path=/; SameSite=Lax');
  });
});
