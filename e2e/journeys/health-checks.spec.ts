import { join } from 'node:path';
import { ROUTES } from '@longshore/contract';
import { expect, it } from 'vitest';
import { AppPage } from '../pages/app-page.ts';
import { signInAs } from '../pages/login-page.ts';
import { signUp } from '../support/account.ts';
import { picture, watchErrors } from '../support/browser.ts';
import { makeRepository } from '../support/repository.ts';
import { requestApp } from '../support/request-app.ts';
import { CHECKED_APP } from '../support/sample-apps.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { plainLongshore } from '../support/shared-longshore.ts';
import { untilSynced } from '../support/until-synced.ts';

const EMAIL = 'ada@example.com';
const browser = sharedBrowser();
const longshore = plainLongshore();

it('sets a health check, rolls an unhealthy release back by itself, and says so', async () => {
  const ada = await signUp(longshore.url, EMAIL);
  const url = await makeRepository(join(longshore.folder, 'app'), CHECKED_APP);
  const projectId = await ada.createProject('Harbour');
  const app = { id: await ada.deploy({ name: 'shop', url }, projectId), name: 'shop' };
  await untilSynced(ada, app.id);
  const page = await (await browser.newContext()).newPage();
  const errors = watchErrors(page);
  await signInAs(page, longshore.url, EMAIL);
  await page.goto(`${longshore.url}${ROUTES.app(projectId, app.id)}`);
  const appPage = new AppPage(page);
  await appPage.shows('Ready');
  await appPage.openTab('Settings');
  await page.getByLabel('Health check path').fill('/up');
  await page.getByLabel('Seconds between health checks').fill('1');
  await page.getByLabel('Failed health checks').fill('2');
  await picture(page, 'health-check-settings');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved. The app restarts without a rebuild.').waitFor();
  await appPage.openTab('Overview');
  await page.getByText('Passes its health check, GET /up. Release 2 went live').waitFor();
  await appPage.shows('Ready');
  await picture(page, 'healthy');

  await ada.edit(app.id, { env: { MODE: 'fails' } });
  await page
    .getByText('The release became unhealthy soon after it went live, and was rolled back.')
    .waitFor({ timeout: 120_000 });
  // Until release 2 serves, the health of release 3 shows the problem, too.
  await page.getByText('Passes its health check, GET /up. Release 2 went live').waitFor();
  await page.getByText('GET /up: status 500, expected 200 to 399').waitFor();
  await picture(page, 'rolled-back-by-itself');
  expect((await requestApp(longshore, app, '/up')).status).toBe(200);
  expect(errors).toEqual([]);
  await ada.delete(app.id);
});
