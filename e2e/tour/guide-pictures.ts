import { ROUTES } from '@longshore/contract';
import type { Page } from 'playwright-core';
import type { TourUrls } from './fill-account.ts';

/** Saves a picture under a name. */
type Take = (name: string) => Promise<void>;

/** Takes all pictures of the guide in one theme. */
export async function takePictures(page: Page, take: Take, urls: TourUrls): Promise<void> {
  await takeProjectPictures(page, take, urls);
  await takeAppPictures(page, take, urls);
  await takeAccountPictures(page, take, urls);
}

async function takeProjectPictures(page: Page, take: Take, urls: TourUrls): Promise<void> {
  await page.goto(`${urls.url}${ROUTES.dashboard}`);
  await page.getByRole('link', { name: 'harbour-shop' }).waitFor();
  await take('projects');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('sh');
  await page.getByRole('option').first().waitFor();
  await take('palette');

  await page.goto(urls.project);
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
  await page.getByRole('button', { name: 'Reset' }).click();
}

async function takeAppPictures(page: Page, take: Take, urls: TourUrls): Promise<void> {
  await page.goto(urls.shop);
  await page.getByText('GET /lamps').first().waitFor();
  await take('app-ready');
  await openTab(page, 'Deployments');
  await page.getByRole('region', { name: 'Releases' }).getByRole('listitem').first().waitFor();
  await take('releases');
  await openTab(page, 'Settings');
  await page.getByRole('switch', { name: 'Deploy on push' }).waitFor();
  await take('push-to-deploy');
  await openTab(page, 'Logs');
  await page.getByPlaceholder('Search logs').fill('lamps');
  await take('logs');

  await page.goto(urls.domain);
  await openTab(page, 'Domains');
  await page.getByText('Not verified yet').waitFor();
  await take('domain');
  await page.goto(urls.broken);
  await page.getByText('hit an iceberg').first().waitFor();
  await take('app-failed');
}

async function openTab(page: Page, name: string): Promise<void> {
  const tabs = page.getByRole('navigation', { name: 'Application' });
  await tabs.getByRole('link', { name }).click();
}

async function takeAccountPictures(page: Page, take: Take, urls: TourUrls): Promise<void> {
  await page.goto(`${urls.url}${ROUTES.integrations}`);
  await page.getByRole('heading', { name: 'ada' }).waitFor();
  await take('integrations');
  await page.goto(`${urls.url}${ROUTES.security}`);
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  await take('security');
}
