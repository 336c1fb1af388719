import type { Browser, BrowserContext, Page } from 'playwright-core';
import { signInAs } from '../pages/login-page.ts';
import type { Harbour } from './harbour.ts';
import type { Screen, Visitor } from './screens.ts';

export const THEMES = ['light', 'dark', 'amber'] as const;
export type Theme = (typeof THEMES)[number];
export type Viewport = { width: number; height: number };

/** Goes through screens as each visitor, without signing in anew for each: the server would refuse so many. */
export type Tour = {
  /** Opens the screen anew, and answers the page once it has come to rest. */
  visit(screen: Screen, viewport: Viewport): Promise<Page>;
  end(): Promise<void>;
};

export async function startTour(
  browser: Pick<Browser, 'newContext'>,
  url: string,
  harbour: Harbour,
): Promise<Tour> {
  const pages = {} as Record<Visitor, Page>;
  const contexts: BrowserContext[] = [];
  for (const who of ['nobody', 'newcomer', 'owner'] as const) {
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    contexts.push(context);
    pages[who] = await context.newPage();
    if (who !== 'nobody') await signInAs(pages[who], url, harbour[who]);
  }
  return {
    async visit({ who, path, open }, viewport) {
      const page = pages[who];
      await page.setViewportSize(viewport);
      await page.goto(`${url}${path(harbour)}`);
      await page.locator('h1').first().waitFor();
      // A form that an earlier visit left is no business of this one.
      await page.evaluate(() => localStorage.removeItem('deployDraft'));
      await open?.(page);
      return page;
    },
    async end() {
      for (const context of contexts) await context.close();
    },
  };
}

/** At once, as the profile page does it; what is open stays open. */
export async function wear(page: Page, theme: Theme): Promise<void> {
  await page.evaluate((name) => {
    document.documentElement.dataset.theme = name;
  }, theme);
}
