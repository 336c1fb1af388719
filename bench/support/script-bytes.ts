import { gzipSync } from 'node:zlib';
import type { Page, Response } from 'playwright-core';

export type ScriptBytes = {
  /** Scripts loaded so far: their count and the sum of their gzipped sizes. */
  total(): Promise<{ files: number; bytes: number }>;
};

/** Counts every script that the page loads by its gzipped size, whatever encoding the server used. */
export function countScripts(page: Page): ScriptBytes {
  const scripts = new Map<string, Promise<number>>();
  page.on('response', (response) => {
    if (isScript(response)) scripts.set(response.url(), gzippedBytes(response));
  });
  return {
    async total() {
      const sizes = await Promise.all(scripts.values());
      return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
    },
  };
}

function isScript(response: Response): boolean {
  return /javascript/.test(response.headers()['content-type'] ?? '');
}

async function gzippedBytes(response: Response): Promise<number> {
  return gzipSync(await response.body()).length;
}
