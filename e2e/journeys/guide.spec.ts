import { afterAll, beforeAll, expect, it } from 'vitest';
import { signUp } from '../pages/sign-up-page.ts';
import { picture, watchErrors } from '../support/browser.ts';
import { newDataDir } from '../support/empty-database.ts';
import { freePort } from '../support/free-port.ts';
import { type Longshore, startLongshore } from '../support/longshore.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

let folder: TemporaryFolder;
let longshore: Longshore;
const browser = sharedBrowser();

beforeAll(async () => {
  folder = await temporaryFolder();
  longshore = await startLongshore({
    dataDir: await newDataDir(folder.path),
    port: await freePort(),
    ingressPort: await freePort(),
  });
});

afterAll(async () => {
  expect(await longshore?.stop()).toBe(0);
  await folder?.remove();
});

it('the guide opens from the console in a new tab, in the chosen theme', async () => {
  const page = await (await browser.newContext()).newPage();
  await signUp(page, longshore.url, 'reader@example.com');
  await page.getByRole('button', { name: 'Dark theme' }).click();
  const opened = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'Documentation' }).click();
  const guide = await opened;
  await guide.getByRole('heading', { name: 'Welcome', level: 1 }).waitFor();
  expect(await guide.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
  await guide.getByRole('button', { name: 'Light theme' }).click();
  await guide.reload();
  expect(await guide.evaluate(() => document.documentElement.dataset.theme)).toBe('light');
  await page.context().close();
});

it('the guide is searchable with the keyboard alone and sends no request to other hosts', async () => {
  const page = await (await browser.newContext()).newPage();
  const errors = watchErrors(page);
  const requestedOrigins = new Set<string>();
  page.on('request', (request) => requestedOrigins.add(new URL(request.url()).origin));
  await page.goto(`${longshore.url}/docs/logs`);
  await page.keyboard.press('/');
  await page.keyboard.type('custom domain');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/docs\/domains/);
  await picture(page, 'guide');
  expect([...requestedOrigins]).toEqual([longshore.url]);
  expect(errors).toEqual([]);
  await page.close();
});

it.each([360, 768, 1440])('every page of the guide fits a window %d pixels wide', async (width) => {
  const page = await (await browser.newContext({ viewport: { width, height: 800 } })).newPage();
  await page.goto(`${longshore.url}/docs`);
  const pages = await page
    .getByRole('navigation', { name: 'Guide' })
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
  expect(pages.length).toBeGreaterThan(10);
  for (const href of pages) {
    await page.goto(href);
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect([href, widths[0]]).toEqual([href, widths[1]]);
  }
  await page.close();
});
