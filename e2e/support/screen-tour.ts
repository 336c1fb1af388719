import type { Browser, BrowserContext, Page } from 'playwright-core';
import { signInAs } from '../pages/login-page.ts';
import type { SampleAccounts } from './sample-accounts.ts';
import type { Screen, ScreenUser } from './screens/screen.ts';

export const THEMES = ['light', 'dark', 'amber'] as const;
export type Theme = (typeof THEMES)[number];
export type Viewport = { width: number; height: number };

/** Headings of skeletons are visually hidden. */
const VISIBLE_HEADING = 'h1:not(.sr-only)';
const SHELL = 'header';

/** Opens screens as each user. A user signs in once, because sign-ins are rate limited. */
export type Tour = {
  /** Opens the screen in a fresh state and returns its page once it is ready. */
  visit(screen: Screen, viewport: Viewport): Promise<Page>;
  end(): Promise<void>;
};

export function startTour(
  browser: Pick<Browser, 'newContext'>,
  url: string,
  accounts: SampleAccounts,
): Tour {
  const pages = new Map<ScreenUser, Page>();
  const contexts: BrowserContext[] = [];
  let separatePage: Page | undefined;
  return {
    async visit({ user, path, prepare, open }, viewport) {
      const signedIn = pages.get(user) ?? (await signIn(user));
      await separatePage?.close();
      separatePage = prepare && (await signedIn.context().newPage());
      const page = separatePage ?? signedIn;
      await page.setViewportSize(viewport);
      await prepare?.(page);
      await page.goto(`${url}${path(accounts)}`);
      await page
        .locator(prepare ? SHELL : VISIBLE_HEADING)
        .first()
        .waitFor();
      // A draft of an earlier screen would fill the form.
      await page.evaluate(() => localStorage.removeItem('deployDraft'));
      await open?.(page);
      return page;
    },
    async end() {
      for (const context of contexts) await context.close();
      await accounts.stop();
    },
  };

  /** Runs on the first visit, so that a failed sign-in fails only that visit and the next one retries. */
  async function signIn(user: ScreenUser): Promise<Page> {
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    contexts.push(context);
    const page = await context.newPage();
    if (user !== 'signedOut') await signInAs(page, url, accounts[user]);
    pages.set(user, page);
    return page;
  }
}

/** Sets the theme without a reload, so dialogs stay open. */
export async function setTheme(page: Page, theme: Theme): Promise<void> {
  await page.evaluate((name) => {
    document.documentElement.dataset.theme = name;
  }, theme);
}
