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

/** Opens screens as each visitor. A visitor signs in once: the server limits how often one may. */
export type Tour = {
  /** Opens the screen in a fresh state and returns its page once it is ready. */
  visit(screen: Screen, viewport: Viewport): Promise<Page>;
  end(): Promise<void>;
};

export function startTour(
  browser: Pick<Browser, 'newContext'>,
  url: string,
  harbour: Harbour,
): Tour {
  const pages = new Map<Visitor, Page>();
  const contexts: BrowserContext[] = [];
  let separatePage: Page | undefined;
  return {
    async visit({ who, path, before, open }, viewport) {
      const signedIn = pages.get(who) ?? (await signIn(who));
      await separatePage?.close();
      separatePage = before && (await signedIn.context().newPage());
      const page = separatePage ?? signedIn;
      await page.setViewportSize(viewport);
      await before?.(page);
      await page.goto(`${url}${path(harbour)}`);
      await page
        .locator(before ? SHELL : SEEN_HEADING)
        .first()
        .waitFor();
      // A draft of an earlier visit would fill the form.
      await page.evaluate(() => localStorage.removeItem('deployDraft'));
      await open?.(page);
      return page;
    },
    async end() {
      for (const context of contexts) await context.close();
      await harbour.leave();
    },
  };

  /** On the first visit, so that a failed sign-in fails that visit and the next one tries again. */
  async function signIn(who: Visitor): Promise<Page> {
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    contexts.push(context);
    const page = await context.newPage();
    if (who !== 'nobody') await signInAs(page, url, harbour[who]);
    pages.set(who, page);
    return page;
  }
}

/** At once, as the profile page does it; what is open stays open. */
export async function wear(page: Page, theme: Theme): Promise<void> {
  await page.evaluate((name) => {
    document.documentElement.dataset.theme = name;
  }, theme);
}
