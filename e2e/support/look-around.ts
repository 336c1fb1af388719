import type { Browser, BrowserContext, Page } from 'playwright-core';
import { signInAs } from '../pages/login-page.ts';
import type { Harbour } from './harbour.ts';
import type { Screen, Visitor } from './screens/screen.ts';

export const THEMES = ['light', 'dark', 'amber'] as const;
export type Theme = (typeof THEMES)[number];
export type Viewport = { width: number; height: number };

/** Those of skeletons are only heard. */
const SEEN_HEADING = 'h1:not(.sr-only)';
const SHELL = 'header';

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
  let apart: Page | undefined;
  return {
    async visit({ who, path, before, open }, viewport) {
      await apart?.close();
      apart = before && (await pages[who].context().newPage());
      const page = apart ?? pages[who];
      await page.setViewportSize(viewport);
      await before?.(page);
      await page.goto(`${url}${path(harbour)}`);
      await page
        .locator(before ? SHELL : SEEN_HEADING)
        .first()
        .waitFor();
      // A form that an earlier visit left is no business of this one.
      await page.evaluate(() => localStorage.removeItem('deployDraft'));
      await open?.(page);
      return page;
    },
    async end() {
      for (const context of contexts) await context.close();
      await harbour.leave();
    },
  };
}

/** At once, as the profile page does it; what is open stays open. */
export async function wear(page: Page, theme: Theme): Promise<void> {
  await page.evaluate((name) => {
    document.documentElement.dataset.theme = name;
  }, theme);
}
