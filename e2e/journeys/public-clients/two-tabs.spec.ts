// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest';
import { connectNhost3, memoryStorage, NHOST_3, newEmail, PASSWORD } from '../../support/nhost.ts';
import { loadNhost } from '../../support/nhost-in-page.ts';
import { sharedBrowser } from '../../support/shared-browser.ts';
import { sharedLongshore } from '../../support/shared-longshore.ts';

const ROUNDS = 25;
const TIMEOUT_MS = 30_000;
const longshore = sharedLongshore({ LONGSHORE_REQUIRE_VERIFIED_EMAIL: 'false' });

describe.each(NHOST_3)('%s', (name) => {
  it('keeps two tabs signed in that repeatedly refresh at the same moment', async () => {
    const clientStorage = memoryStorage();
    const openTab = () => connectNhost3(name, longshore.url, { clientStorage, autoSignIn: true });
    const first = openTab();
    const { session } = await first.auth.signUp({ email: newEmail(), password: PASSWORD });
    const tabs = [first, openTab()];
    expect(await tabs[1]?.auth.isAuthenticatedAsync()).toBe(true);

    for (let round = 0; round < ROUNDS; round += 1) {
      const refreshes = tabs.map((tab) => refreshed(() => tab.auth.refreshSession()));
      expect(await Promise.all(refreshes)).toEqual([null, null]);
      for (const tab of tabs) expect(tab.auth.isAuthenticated()).toBe(true);
    }
    await vi.waitFor(() => {
      const [one, other] = tabs.map((tab) => tab.auth.getSession().refreshToken);
      expect(one).toBe(other);
      expect(one).not.toBe(session.refreshToken);
    }, TIMEOUT_MS);

    await first.auth.signOut();
    await vi.waitFor(() => expect(tabs[1]?.auth.isAuthenticated()).toBe(false), TIMEOUT_MS);
  });
});

describe('in Chromium', () => {
  const browser = sharedBrowser();

  it.each(NHOST_3)('%s keeps two tabs signed in and signs both out', async (version) => {
    const context = await browser.newContext();
    const openTab = async () => loadNhost(await context.newPage(), { version, url: longshore.url });
    const first = await openTab();
    await first.auth('signUp', { email: newEmail(), password: PASSWORD });
    const tabs = [first, await openTab()];
    expect(await tabs[1]?.auth<boolean>('isAuthenticatedAsync')).toBe(true);

    for (let round = 0; round < ROUNDS; round += 1) {
      const refreshes = tabs.map((tab) => refreshed(() => tab.auth('refreshSession')));
      expect(await Promise.all(refreshes)).toEqual([null, null]);
      for (const tab of tabs) expect(await tab.auth<boolean>('isAuthenticated')).toBe(true);
    }

    await first.auth('signOut');
    const isSignedIn = () => tabs[1]?.auth<boolean>('isAuthenticated');
    await expect.poll(isSignedIn).toBe(false);
    await context.close();
  });
});

/** Retries while a tab reports that it is already refreshing because of the other one. Returns the error. */
async function refreshed(refresh: () => Promise<{ error: { error: string } | null }>) {
  return await vi.waitFor(async () => {
    const { error } = await refresh();
    if (error?.error === 'refresher-already-running') throw new Error(error.error);
    return error;
  }, TIMEOUT_MS);
}
