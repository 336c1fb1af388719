import type { Page } from 'playwright-core';

const AHEAD_MS = 1_000;

/** From now on the page's time moves only by `page.clock.runFor`. */
export async function stopClock(page: Page): Promise<void> {
  const now = Date.now();
  await page.clock.install({ time: now });
  await page.clock.pauseAt(now + AHEAD_MS);
}
