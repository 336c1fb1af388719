import { join } from 'node:path';
import { autoDomain, ROUTES } from '@longshore/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AppPage } from '../pages/app-page.ts';
import { signInAs } from '../pages/login-page.ts';
import { signUp } from '../support/account.ts';
import { picture, watchErrors } from '../support/browser.ts';
import { newDataDir } from '../support/empty-database.ts';
import { freePort } from '../support/free-port.ts';
import { type Longshore, startLongshore } from '../support/longshore.ts';
import { makeRepository } from '../support/repository.ts';
import { HELLO_APP } from '../support/sample-apps.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { untilSynced } from '../support/until-synced.ts';

const EMAIL = 'ada@example.com';

const browser = sharedBrowser();
let folder: TemporaryFolder;
let longshore: Longshore;

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

/** Edits the traffic settings, and waits until the page shows the saved ones: the next edit starts with those. */
async function editTraffic(page: Page, shown: string, edit: () => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: 'Edit traffic settings' }).click();
  await edit();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText(shown).waitFor();
}

it('protects an app, puts it into maintenance and redirects it, without a new release', async () => {
  const ada = await signUp(longshore.url, EMAIL);
  const url = await makeRepository(join(folder.path, 'site'), HELLO_APP);
  const projectId = await ada.createProject('Harbour');
  const appId = await ada.deploy({ name: 'site', url }, projectId);
  await untilSynced(ada, appId);
  const site = `http://${autoDomain({ id: appId, name: 'site' }, 'localhost')}:${longshore.ingressPort}/deck?a=b`;

  const context = await browser.newContext();
  const page = await context.newPage();
  const errors = watchErrors(page);
  await signInAs(page, longshore.url, EMAIL);
  await page.goto(`${longshore.url}${ROUTES.app(projectId, appId)}/settings`);
  await page.getByText('Everybody can reach this app').waitFor();

  await editTraffic(page, 'Username ada', async () => {
    await page.getByRole('switch', { name: 'Password protection' }).click();
    await page.getByLabel('Username').fill('ada');
    await page.getByLabel('Password', { exact: true }).fill('open sesame');
    await page.getByRole('button', { name: 'Add header' }).click();
    await page.getByLabel('Header name 1').fill('X-Frame-Options');
    await page.getByLabel('Header value 1').fill('DENY');
    await picture(page, 'traffic-settings');
  });
  const anonymous = await (await browser.newContext()).newPage();
  await expect.poll(async () => (await anonymous.goto(site))?.status()).toBe(401);
  const visitor = await browser.newContext({
    httpCredentials: { username: 'ada', password: 'open sesame' },
  });
  const visit = await visitor.newPage();
  const response = await visit.goto(site);
  expect(response?.status()).toBe(200);
  expect(await response?.text()).toBe('Ahoy');
  expect(response?.headers()['x-frame-options']).toBe('DENY');

  await editTraffic(page, 'Maintenance page', () =>
    page.getByRole('switch', { name: 'Maintenance page' }).click(),
  );
  await expect.poll(async () => (await visit.goto(site))?.status()).toBe(503);
  await visit.getByText('This app is down for maintenance.').waitFor();
  await picture(visit, 'traffic-maintenance');

  await editTraffic(page, '203.0.113.0/24', async () => {
    await page.getByRole('switch', { name: 'Maintenance page' }).click();
    await page.getByRole('switch', { name: 'Password protection' }).click();
    await page.getByLabel('Allowed IP addresses').fill('203.0.113.0/24');
  });
  await expect.poll(async () => (await anonymous.goto(site))?.status()).toBe(403);

  const elsewhere = `http://127.0.0.1:${longshore.ingressPort}`;
  await editTraffic(page, '127.0.0.0/8', async () => {
    await page.getByLabel('Allowed IP addresses').fill('127.0.0.0/8\n::1');
    await page.getByRole('button', { name: 'Add redirect' }).click();
    await page.getByLabel('Target 1').fill(elsewhere);
  });
  await expect
    .poll(async () => {
      await anonymous.goto(site);
      return anonymous.url();
    })
    .toBe(`${elsewhere}/deck?a=b`);
  await picture(page, 'traffic-card');
  await new AppPage(page).openTab('Deployments');
  const releases = page.getByRole('region', { name: 'Releases' });
  await releases.getByText('#1', { exact: true }).waitFor();
  expect(await releases.getByText('#2', { exact: true }).count()).toBe(0);
  expect(errors).toEqual([]);
});
