import { ROUTES } from '@longshore/contract';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signInAs } from '../pages/login-page.ts';
import { signUp } from '../support/account.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { sharedLongshore } from '../support/shared-longshore.ts';

const EMAIL = 'ada@example.com';
/** A slow mobile connection. */
const SLOW = { offline: false, latency: 300, downloadThroughput: 60_000, uploadThroughput: 30_000 };

const longshore = sharedLongshore({ LONGSHORE_REQUIRE_VERIFIED_EMAIL: 'false' });
const browser = sharedBrowser();
let context: BrowserContext;
let projectId: string;
let appId: string;

beforeAll(async () => {
  const account = await signUp(longshore.url, EMAIL);
  projectId = await account.createProject('Harbour');
  const app = { name: 'web', url: 'https://git.invalid/web.git', change: { instances: 0 } };
  appId = await account.deploy(app, projectId);
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await signInAs(await context.newPage(), longshore.url, EMAIL);
});

afterAll(() => context?.close());

it.each([
  ['the projects', () => ROUTES.projects, 'Projects'],
  ['a project', () => ROUTES.project(projectId), 'Harbour'],
  ['an app', () => ROUTES.app(projectId, appId), 'web'],
  ['the integrations', () => ROUTES.integrations, 'External Integrations'],
  ['the profile', () => ROUTES.profile, 'Profile'],
  ['the security page', () => ROUTES.security, 'Sessions'],
])(
  '%s: a skeleton comes first, and nothing shifts when the content is loaded',
  async (_, path, text) => {
    const page = await openOnSlowNetwork(context);
    await page.goto(`${longshore.url}${path()}`);
    await page.getByRole('status').first().waitFor();
    await page.getByRole('heading', { name: text }).first().waitFor();
    await page.waitForLoadState('networkidle');
    expect(await shiftsOf(page)).toEqual([]);
    await page.close();
  },
);

it('the sign-in page: nothing shifts while it loads', async () => {
  const signedOut = await browser.newContext();
  const page = await openOnSlowNetwork(signedOut);
  // The skeleton may be gone by the time everything is loaded, and is looked for in each frame: it is shown briefly.
  await page.goto(`${longshore.url}${ROUTES.login}`, { waitUntil: 'commit' });
  await page.waitForFunction(() => document.querySelector('[role="status"]') !== null);
  await page.getByRole('button', { name: 'Sign In' }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(await shiftsOf(page)).toEqual([]);
  await signedOut.close();
});

it('the deploy dialog: it opens without a server request, and nothing shifts', async () => {
  const page = await openOnSlowNetwork(context);
  await page.goto(`${longshore.url}${ROUTES.project(projectId)}`);
  await page.getByRole('button', { name: 'Deploy App' }).waitFor();
  await page.waitForLoadState('networkidle');
  // The toast area is loaded with the first user input on a page.
  await Promise.all([page.waitForResponse(/\/toaster-/), page.keyboard.press('Shift')]);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.getByRole('button', { name: 'Deploy App' }).click();
  await page.getByRole('button', { name: 'Manual deployment' }).click();
  await page.getByLabel('Source URL').waitFor();
  expect(requests).toEqual([]);
  expect(await shiftsOf(page)).toEqual([]);
  await page.close();
});

/** An empty browser cache and a slow connection. */
async function openOnSlowNetwork(visitor: BrowserContext): Promise<Page> {
  const page = await visitor.newPage();
  const chromium = await visitor.newCDPSession(page);
  await chromium.send('Network.enable');
  await chromium.send('Network.setCacheDisabled', { cacheDisabled: true });
  await chromium.send('Network.emulateNetworkConditions', SLOW);
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { seenShifts: seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & Shift)[])
        for (const { node } of entry.sources ?? [])
          seen.push(
            `${entry.value.toFixed(4)} ${(node as Element | null)?.outerHTML?.slice(0, 120)}`,
          );
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return page;
}

type Shift = { value: number; sources?: { node: Node | null }[] };

function shiftsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => (globalThis as unknown as { seenShifts: string[] }).seenShifts);
}
