import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { AppPage } from '../pages/app-page.ts';
import { createProject } from '../pages/projects-page.ts';
import { signUp } from '../pages/sign-up-page.ts';
import { CRASHING } from '../support/broken-apps.ts';
import { launchBrowser } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { ROOT, startLongshore } from '../support/longshore.ts';
import { makeRepository } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { animate } from './animate.ts';
import { createCamera, createReel, openWindow, type Theme } from './camera.ts';
import { SHOP_APP } from './shop-app.ts';

const GUIDE_PICTURES = join(ROOT, 'docs/guide/pictures');
const camera = createCamera(GUIDE_PICTURES);
const TOUR = join(ROOT, 'docs/pictures/tour.gif');

/** Makes every picture of the guide and the readme anew, of a Longshore that really runs. */
it('takes the pictures', async () => {
  const folder = await temporaryFolder();
  const longshore = await startLongshore({
    dataDir: join(folder.path, 'data'),
    port: await freePort(),
    ingressPort: await freePort(),
  });
  const browser = await launchBrowser();
  try {
    const shop = await makeRepository(join(folder.path, 'shop'), SHOP_APP);
    const broken = await makeRepository(join(folder.path, 'broken'), CRASHING);
    const page = await openWindow(browser, 'light');
    const reel = createReel(page);
    const places = await fillAccount(page, reel, { url: longshore.url, shop, broken });
    await writeFile(TOUR, animate(reel.frames));
    const storage = await page.context().storageState();
    for (const theme of ['light', 'dark'] as const) {
      const visitor = await openWindow(browser, theme, storage);
      await takePictures(visitor, theme, places);
      await visitor.context().close();
    }
  } finally {
    await browser.close();
    expect(await longshore.stop()).toBe(0);
    await folder.remove();
  }
});

type Sources = { url: string; shop: string; broken: string };

type Places = { url: string; project: string; shop: string; broken: string };

/** Signs up and deploys as a new person would; the reel keeps the way from nothing to an app that answers. */
async function fillAccount(
  page: Page,
  reel: ReturnType<typeof createReel>,
  { url, shop, broken }: Sources,
): Promise<Places> {
  const app = new AppPage(page);
  await signUp(page, url, 'ada@example.com');
  await page.getByRole('button', { name: 'New Project' }).first().waitFor();
  await reel.keep(1_500);
  for (const name of ['blog', 'billing']) {
    await createProject(page, name);
    await page.goto(`${url}/dashboard`);
  }
  await createProject(page, 'harbour-shop');
  await reel.keep(1_200);
  const project = page.url();
  const shopUrl = await deploy(page, { name: 'shop', source: shop }, () => reel.keep(1_500));
  await app.showsText('compiling basket');
  await reel.keep(1_200);
  await app.showsText('4 parts');
  await reel.keep(1_000);
  await app.shows('Ready');
  await page.getByText('GET /lamps').first().waitFor();
  await reel.keep(3_000);
  await page.goto(project);
  const brokenUrl = await deploy(page, { name: 'mailer', source: broken }, async () => {});
  await app.shows('Error');
  await changeName(page, shopUrl);
  return { url, project, shop: shopUrl, broken: brokenUrl };
}

async function deploy(
  page: Page,
  { name, source }: { name: string; source: string },
  beforeSending: () => Promise<void>,
): Promise<string> {
  await page.getByRole('button', { name: 'Deploy App' }).first().click();
  await page.getByRole('button', { name: 'Manual deployment' }).click();
  await page.getByLabel('Source URL').fill(source);
  await page.getByLabel('Application Name').fill(name);
  await page.getByLabel('Port', { exact: true }).fill('3000');
  await page.getByLabel('Key 1').fill('SHOP_NAME');
  await page.getByLabel('Value 1').fill('Harbour');
  await beforeSending();
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await page.waitForURL(/\/apps\/[0-9a-f-]{36}$/);
  return page.url();
}

/** A second release, so that there is something to go back to. */
async function changeName(page: Page, shop: string): Promise<void> {
  await page.goto(shop);
  await page.getByRole('button', { name: 'Edit App' }).click();
  await page.getByLabel('Value 1').fill('Harbour & Sons');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.goto(shop);
  await page.getByText('#2').first().waitFor();
  await new AppPage(page).shows('Ready');
}

async function takePictures(page: Page, theme: Theme, places: Places): Promise<void> {
  const take = (name: string) => camera(page, name, theme);
  await page.goto(`${places.url}/dashboard`);
  await page.getByRole('link', { name: 'harbour-shop' }).waitFor();
  await take('projects');

  await page.goto(places.project);
  await page.getByRole('button', { name: 'Deploy App' }).first().click();
  await page.getByRole('button', { name: 'Manual deployment' }).click();
  await page.getByLabel('Source URL').fill('https://github.com/harbour/shop.git');
  await page.getByLabel('Application Name').fill('shop');
  await take('deploy-form');
  await page.getByLabel('Key 1').fill('DATABASE_URL');
  await page.getByLabel('Value 1').fill('postgres://shop@db/shop');
  await page.getByRole('button', { name: 'Add variable' }).click();
  await page.getByLabel('Key 2').fill('SESSION_SECRET');
  await page.getByLabel('Value 2').fill('not for your eyes');
  await page.getByRole('button', { name: 'Add variable' }).scrollIntoViewIfNeeded();
  await take('environment');

  await page.goto(places.shop);
  await page.getByText('GET /lamps').first().waitFor();
  await take('app-ready');
  await page.getByRole('heading', { name: 'Releases' }).scrollIntoViewIfNeeded();
  await take('releases');
  await page.getByRole('heading', { name: 'Logs' }).scrollIntoViewIfNeeded();
  await page.getByPlaceholder('Search', { exact: false }).last().fill('lamps');
  await take('logs');

  await page.goto(places.broken);
  await page.getByText('hit an iceberg').first().waitFor();
  await take('app-failed');
}
