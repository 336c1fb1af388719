import type { Page } from 'playwright-core';

const AHEAD_MS = 1_000;

/** From now on the page's clock advances only by `page.clock.runFor`. */
export async function pauseClock(page: Page): Promise<void> {
  const now = Date.now();
  await page.clock.install({ time: now });
  await page.clock.pauseAt(now + AHEAD_MS);
}
