import { join } from 'node:path';
import { ROUTES } from '@longshore/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AppPage } from '../pages/app-page.ts';
import { signInAs } from '../pages/login-page.ts';
import { signUp } from '../support/account.ts';
import { picture } from '../support/browser.ts';
import { newDataDir } from '../support/empty-database.ts';
import { freePort } from '../support/free-port.ts';
import { type Longshore, startLongshore } from '../support/longshore.ts';
import { makeRepository } from '../support/repository.ts';
import { requestApp } from '../support/request-app.ts';
import { HELLO_APP } from '../support/sample-apps.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { untilSynced } from '../support/until-synced.ts';

const browser = sharedBrowser();
let folder: TemporaryFolder;
let longshore: Longshore;

beforeAll(async () => {
  folder = await temporaryFolder();
  const [port, ingressPort] = [await freePort(), await freePort()];
  longshore = await startLongshore({
    dataDir: await newDataDir(folder.path),
    port,
    ingressPort,
    // Room for one awake app.
    env: { LONGSHORE_QUOTA_CPU: '0.5', LONGSHORE_TRUST_EVERYBODY: 'true' },
  });
});

afterAll(async () => {
  expect(await longshore?.stop()).toBe(0);
  await folder?.remove();
});

it('an account at its limit learns why an app cannot wake, and can wake it after hibernating another', async () => {
  const { url } = longshore;
  await signUp(url, 'operator@example.com');
  const eve = await signUp(url, 'eve@example.com');
  const projectId = await eve.createProject('Shop');
  const repository = await makeRepository(join(folder.path, 'hello'), HELLO_APP);
  const sleep = { afterMinutes: 60 };
  const first = await eve.deploy({ name: 'first', url: repository, sleep }, projectId);
  await untilSynced(eve, first);
  await eve.hibernate(first);
  await untilSynced(eve, first);
  const second = await eve.deploy({ name: 'second', url: repository }, projectId);
  await untilSynced(eve, second);

  const response = await requestApp(longshore, { id: first, name: 'first' });
  expect(response).toMatchObject({ status: 503 });
  expect(response.body).toContain('cannot wake up now');

  const page = await (await browser.newContext()).newPage();
  await signInAs(page, url, 'eve@example.com');
  const firstApp = new AppPage(page);
  await page.goto(url + ROUTES.app(projectId, first));
  await firstApp.button('Wake').click();
  await firstApp.showsText('CPU limit reached: awake apps use 0.5 of 0.5 CPU');
  await picture(page, 'quota-wake');

  await page.goto(url + ROUTES.project(projectId));
  await page.getByRole('button', { name: 'Deploy App' }).click();
  await page.getByText('Your account has no CPU left for another app.').waitFor();
  await picture(page, 'quota-deploy');

  await page.goto(url + ROUTES.profile);
  const usage = page.getByRole('region', { name: 'Usage' });
  await usage.getByText('0.5 of 0.5').waitFor();
  await picture(page, 'quota-usage');
  await eve.hibernate(second);
  await usage.getByText('0 of 0.5').waitFor();

  await page.goto(url + ROUTES.app(projectId, first));
  await firstApp.button('Wake').click();
  await firstApp.shows('Ready');
  expect(await requestApp(longshore, { id: first, name: 'first' })).toMatchObject({ status: 200 });
});
