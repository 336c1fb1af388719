import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launchBrowser } from './browser.ts';

/** Playwright's 30 s are too short for a page on a machine that also runs builds and two other browsers. */
const PAGE_TIMEOUT_MS = 120_000;

/** Drawing animations without a GPU takes a tenth of the processor time of journeys. */
const STILL = { reducedMotion: 'reduce' } as const;

/** One browser for all tests of a file. `args`: further arguments of Chromium. */
export function sharedBrowser(args: string[] = []): Pick<Browser, 'newContext'> {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser(args);
  });
  afterAll(() => browser?.close());
  return {
    async newContext(options) {
      const context = await browser.newContext({ ...STILL, ...options });
      context.setDefaultTimeout(PAGE_TIMEOUT_MS);
      return context;
    },
  };
}
