import { join } from 'node:path';
import { ROUTES } from '@longshore/contract';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AppPage } from '../pages/app-page.ts';
import { signInAs } from '../pages/login-page.ts';
import { type Account, signUp } from '../support/account.ts';
import { makeRepository } from '../support/repository.ts';
import { HELLO_APP } from '../support/sample-apps.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { sharedLongshore } from '../support/shared-longshore.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const EMAIL = 'ada@example.com';
/** More than the connections a browser opens to one server. */
const TABS = 8;
const BUILD_FINISHED = 'Build finished';

const longshore = sharedLongshore({ LONGSHORE_REQUIRE_VERIFIED_EMAIL: 'false' });
const browser = sharedBrowser();
let folder: TemporaryFolder;
let context: BrowserContext;

beforeAll(async () => {
  folder = await temporaryFolder();
  context = await browser.newContext();
});
afterAll(async () => {
  await context?.close();
  await folder?.remove();
});

/** Simulated, because headless browsers treat every tab as visible. */
async function setVisibility(page: Page, isVisible: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    },
    isVisible ? 'visible' : 'hidden',
  );
}

async function liveReleases(account: Account, appId: string): Promise<number[]> {
  const query = `query Live($appId: uuid!) {
    releases(where: {app_id: {_eq: $appId}, outcome: {_eq: "live"}}) { number }
  }`;
  const { releases } = await account.graphql<{ releases: { number: number }[] }>(query, { appId });
  return releases.map(({ number }) => number);
}

it('hidden tabs keep no log connection and catch up when they become visible', async () => {
  const account = await signUp(longshore.url, EMAIL);
  const url = await makeRepository(join(folder.path, 'hello'), HELLO_APP);
  const projectId = await account.createProject('Storefront');
  const id = await account.deploy({ name: 'web', url }, projectId);
  await waitFor(async () => (await account.app(id)).status === 'synced', 60_000);
  await signInAs(await context.newPage(), longshore.url, EMAIL);

  const tabs: Page[] = [];
  for (let opened = 0; opened < TABS; opened += 1) {
    const page = await context.newPage();
    await page.goto(`${longshore.url}${ROUTES.app(projectId, id)}/logs`);
    await page.getByRole('log').getByText(BUILD_FINISHED).waitFor();
    await setVisibility(page, false);
    tabs.push(page);
  }

  const [first, last] = [tabs[0], tabs.at(-1)] as [Page, Page];
  await setVisibility(last, true);
  await new AppPage(last).openTab('Deployments');
  await last.getByRole('button', { name: 'Redeploy' }).click();
  await last.getByRole('region', { name: 'Releases' }).getByText('#2').waitFor();
  await waitFor(async () => (await liveReleases(account, id)).includes(2), 60_000);
  await setVisibility(first, true);
  await first.getByText('Release 2: fetching').first().waitFor();
  await expect.poll(() => first.getByRole('log').getByText(BUILD_FINISHED).count()).toBe(2);
});
