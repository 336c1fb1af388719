import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const require = createRequire(import.meta.url);
const VERSIONS = {
  'nhost-js-3-2': require.resolve('nhost-js-3-2/package.json'),
  'nhost-js-3-3': require.resolve('nhost-js-3-3/package.json'),
};

/** The fields of the public client's results that the tests use. */
export type NhostAnswer = {
  error: { status: number; error: string; message: string } | null;
  session?: { user: { id: string; email?: string } } | null;
  key?: { id: string; nickname?: string };
};

/** The published client on a page of our console. */
export type NhostInPage = {
  /** Calls `nhost.auth[method](...args)`. */
  auth<T = NhostAnswer>(method: string, ...args: unknown[]): Promise<T>;
};

export type NhostPlace = {
  version: keyof typeof VERSIONS;
  url: string;
  /** A page without our own scripts, so that no other client uses the session. */
  address?: string;
};

export async function loadNhost(
  page: Page,
  { version, url, address = `${url}/healthz` }: NhostPlace,
): Promise<NhostInPage> {
  await page.goto(address);
  // Replaced by a bundler otherwise.
  await page.evaluate(() => Object.assign(globalThis, { process: { env: {} }, graphql: {} }));
  await page.evaluate(await readFile(join(VERSIONS[version], '../umd/nhost-js.umd.js'), 'utf8'));
  await page.evaluate((origin) => {
    const page = globalThis as unknown as Record<string, unknown>;
    const { NhostClient } = page['@nhost/nhost-js'] as {
      NhostClient: new (options: Record<string, string>) => unknown;
    };
    page.nhost = new NhostClient({
      authUrl: `${origin}/v1/auth`,
      graphqlUrl: `${origin}/v1/graphql`,
      storageUrl: `${origin}/v1/storage`,
      functionsUrl: `${origin}/v1/functions`,
    });
  }, url);
  return {
    auth: async <T>(method: string, ...args: unknown[]) =>
      (await page.evaluate(
        async ({ method, args }) => {
          const { nhost } = globalThis as unknown as {
            nhost: { auth: Record<string, (...args: unknown[]) => unknown> };
          };
          return await nhost.auth[method]?.(...args);
        },
        { method, args },
      )) as T,
  };
}
