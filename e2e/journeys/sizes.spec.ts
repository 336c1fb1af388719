import { join } from 'node:path';
import { ROUTES } from '@longshore/contract';
import { expect, it } from 'vitest';
import { AppPage } from '../pages/app-page.ts';
import { signInAs } from '../pages/login-page.ts';
import { signUp } from '../support/account.ts';
import { picture, watchErrors } from '../support/browser.ts';
import { makeRepository } from '../support/repository.ts';
import { requestApp } from '../support/request-app.ts';
import { HELLO_APP } from '../support/sample-apps.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { plainLongshore } from '../support/shared-longshore.ts';

const EMAIL = 'ada@example.com';
const browser = sharedBrowser();
const longshore = plainLongshore();

it('chooses a size in the form, changes it in the settings, and gets the old one back by a rollback', async () => {
  const ada = await signUp(longshore.url, EMAIL);
  const url = await makeRepository(join(longshore.folder, 'hello'), HELLO_APP);
  const projectId = await ada.createProject('Harbour');
  // The project of an app has the form in a dialog.
  await ada.deploy({ name: 'other', url, change: { instances: 0 } }, projectId);
  const page = await (await browser.newContext()).newPage();
  const errors = watchErrors(page);
  await signInAs(page, longshore.url, EMAIL);
  await page.goto(`${longshore.url}${ROUTES.project(projectId)}`);
  await page.getByRole('button', { name: 'Deploy App' }).click();
  await page.getByRole('button', { name: 'Manual deployment' }).click();
  await page.getByLabel('Source URL').fill(url);
  await page.getByLabel('Application Name').fill('hello');
  await page.locator('summary', { hasText: 'Advanced' }).click();
  const size = page.getByLabel('CPU and memory');
  expect(await size.inputValue()).toBe('t1');
  await size.selectOption('1 CPU, 1 GiB');
  await picture(page, 'size-in-form');
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await page.waitForURL(/\/apps\/[0-9a-f-]{36}$/);
  const app = new AppPage(page);
  await app.shows('Ready');
  await page.getByText('1 CPU, 1 GiB').waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const tierOf = async () => (await ada.app(id)).values.resourceTier;
  expect(await tierOf()).toBe('t2');

  await app.openTab('Settings');
  await size.selectOption('0.5 CPU, 512 MiB');
  await page.getByText('Changes: size 1 CPU, 1 GiB → 0.5 CPU, 512 MiB.').waitFor();
  await page.getByText('Restarts the app without a rebuild.').waitFor();
  await picture(page, 'size-in-settings');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved. The app restarts without a rebuild.').waitFor();
  await app.openTab('Deployments');
  const releases = page.getByRole('region', { name: 'Releases' }).getByRole('listitem');
  const newest = releases.first();
  await newest.getByText('#2', { exact: true }).waitFor();
  await newest.getByText('Live').waitFor({ timeout: 60_000 });
  expect(await tierOf()).toBe('t1');

  await page.getByRole('button', { name: 'Roll back to release 1' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByText('1 CPU, 1 GiB').waitFor();
  await dialog.getByRole('button', { name: 'Roll back' }).click();
  await newest.getByText('#3', { exact: true }).waitFor();
  await newest.getByText('Live').waitFor({ timeout: 60_000 });
  expect(await tierOf()).toBe('t2');
  expect(await requestApp(longshore, { id, name: 'hello' })).toEqual({ status: 200, body: 'Ahoy' });
  expect(errors).toEqual([]);
});
