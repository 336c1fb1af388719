import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { createClient } from 'nhost-js-4';

const require = createRequire(import.meta.url);

/** The client the specification was written for, and the last one of its kind. */
export const NHOST_3 = ['nhost-js-3-2', 'nhost-js-3-3'] as const;
export type Nhost3 = (typeof NHOST_3)[number];

export const PASSWORD = 'a harbour at night';

export function newEmail(): string {
  return `${randomUUID()}@example.com`;
}

/** The public client as it is published, with a storage of its own unless it is given one. */
export function connectNhost3(name: Nhost3, url: string, options: object = {}) {
  const { NhostClient } = require(name) as typeof import('nhost-js-3-2');
  return new NhostClient({ ...addressesFor3(url), clientStorage: memoryStorage(), ...options });
}

export function addressesFor3(url: string) {
  return {
    authUrl: `${url}/v1/auth`,
    graphqlUrl: `${url}/v1/graphql`,
    storageUrl: `${url}/v1/storage`,
    functionsUrl: `${url}/v1/functions`,
    clientStorageType: 'custom',
    autoSignIn: false,
  } as const;
}

export function connectNhost4(url: string, options: object = {}) {
  return createClient({
    authUrl: `${url}/auth/v1`,
    graphqlUrl: `${url}/v1/graphql`,
    storageUrl: `${url}/storage/v1`,
    functionsUrl: `${url}/functions/v1`,
    ...options,
  });
}

/** The newest client's own; its types do not tell of it. */
export const { generatePKCEPair } = require('nhost-js-4/auth') as {
  generatePKCEPair(): Promise<{ verifier: string; challenge: string }>;
};

/** What two tabs of one browser share. */
export function memoryStorage(values = new Map<string, string>()) {
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}
