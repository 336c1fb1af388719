import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { createClient } from 'nhost-js-4';

const require = createRequire(import.meta.url);

/**
 * The published clients of the Nhost server, whose protocol Longshore implements. The tests in
 * `journeys/public-clients` run them, and the Nhost clients for React and Apollo, against Longshore (decision 23).
 * The specification is based on version 3.2; 3.3 is the last release of version 3.
 */
export const NHOST_3 = ['nhost-js-3-2', 'nhost-js-3-3'] as const;
export type Nhost3 = (typeof NHOST_3)[number];

export const PASSWORD = 'a harbour at night';

export function newEmail(): string {
  return `${randomUUID()}@example.com`;
}

/** The published client, with its own storage unless one is passed. */
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

/** A method of the newest client that is missing in its types. */
export const { generatePKCEPair } = require('nhost-js-4/auth') as {
  generatePKCEPair(): Promise<{ verifier: string; challenge: string }>;
};

/** Replaces local storage. Two clients with the same values act like two tabs of one browser. */
export function memoryStorage(values = new Map<string, string>()) {
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}
