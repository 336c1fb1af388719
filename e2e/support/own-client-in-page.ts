import { join } from 'node:path';
import { SERVICE_PATHS } from '@longshore/contract';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { ROOT } from './longshore.ts';

const NAME = 'longshore';

/** Our own client in a real browser, as `window.client` on a page without other scripts. */
export async function loadOwnClient(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/healthz`);
  await page.evaluate(await clientCode());
  await page.evaluate(
    ({ paths, name }) => {
      const { [name]: library } = globalThis as unknown as Record<
        string,
        typeof import('@longshore/client')
      >;
      const client = library?.createBrowserClient(paths, () => undefined);
      Object.assign(globalThis, { client });
    },
    {
      name: NAME,
      paths: Object.fromEntries(
        Object.entries(SERVICE_PATHS).map(([service, [path]]) => [service, path]),
      ) as Parameters<typeof import('@longshore/client').createBrowserClient>[0],
    },
  );
}

let built: Promise<string> | undefined;

function clientCode(): Promise<string> {
  built ??= bundle();
  return built;
}

async function bundle(): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      lib: {
        entry: join(ROOT, 'packages/client/src/index.ts'),
        name: NAME,
        formats: ['iife'],
      },
    },
  });
  const [first] = Array.isArray(output) ? output : [output];
  if (first === undefined || !('output' in first)) throw new Error('Vite returned no bundle');
  const { code } = first.output[0];
  return `${code}\nObject.assign(globalThis, { ${NAME} });`;
}
