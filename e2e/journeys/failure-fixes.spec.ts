import { join } from 'node:path';
import { ROUTES } from '@longshore/contract';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { AppPage } from '../pages/app-page.ts';
import { signInAs } from '../pages/login-page.ts';
import { type Account, signUp } from '../support/account.ts';
import { picture, watchErrors } from '../support/browser.ts';
import { makeRepository } from '../support/repository.ts';
import { requestApp } from '../support/request-app.ts';
import {
  ERRORS_APP,
  FIXED_PORT_APP,
  GOOGLE_FONTS_APP,
  HELLO_APP,
  HUNGRY_APP,
  NEEDS_VARIABLE_APP,
} from '../support/sample-apps.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { plainLongshore } from '../support/shared-longshore.ts';
import { isRoot } from '../support/unprivileged-user.ts';

const EMAIL = 'ada@example.com';
const browser = sharedBrowser();
const longshore = plainLongshore();
let ada: Account;
let projectId: string;
let page: Page;
let errors: string[];

beforeAll(async () => {
  ada = await signUp(longshore.url, EMAIL);
  projectId = await ada.createProject('Harbour');
  page = await (await browser.newContext()).newPage();
  errors = watchErrors(page);
  await signInAs(page, longshore.url, EMAIL);
});

async function openFailed(name: string, files: Record<string, string>) {
  const url = await makeRepository(join(longshore.folder, name), files);
  const id = await ada.deploy({ name, url }, projectId);
  await page.goto(`${longshore.url}${ROUTES.app(projectId, id)}`);
  const app = new AppPage(page);
  await app.shows('Error');
  return { app, id, served: () => requestApp(longshore, { id, name }) };
}

/** The files of an app, in a folder of its own. */
function inFolder(folder: string, files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]),
  );
}

it('deploys the folder that the user chooses of those that were found', async () => {
  const files = {
    'README.md': 'Two apps',
    ...inFolder('services/shop', HELLO_APP),
    ...inFolder('services/depot', NEEDS_VARIABLE_APP),
  };
  const { app, id, served } = await openFailed('monorepo', files);
  await page.getByRole('button', { name: 'Deploy services/depot' }).waitFor();
  await picture(page, 'failure-root-directories');
  await page.getByRole('button', { name: 'Deploy services/shop' }).click();
  await app.shows('Ready');
  expect(await served()).toEqual({ status: 200, body: 'Ahoy' });
  expect((await ada.app(id)).values.build).toEqual({ rootDirectory: 'services/shop' });
  expect(errors).toEqual([]);
});

it('opens a row for a variable that the app names when it crashes, and saves its value', async () => {
  const { app, served } = await openFailed('depot', NEEDS_VARIABLE_APP);
  await picture(page, 'failure-variable');
  await page.getByRole('link', { name: 'Set DEPOT_NAME' }).click();
  await page.getByLabel('Value 1').and(page.locator(':focus')).waitFor();
  expect(await page.getByLabel('Key 1').inputValue()).toBe('DEPOT_NAME');
  await page.keyboard.type('North quay');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved. The app restarts without a rebuild.').waitFor();
  await app.openTab('Overview');
  await app.shows('Ready');
  expect(await served()).toEqual({ status: 200, body: 'North quay' });
  expect(errors).toEqual([]);
});

it('says that visitors get errors, and asks for the variable that the repository lists', async () => {
  const url = await makeRepository(join(longshore.folder, 'errors'), ERRORS_APP);
  const id = await ada.deploy({ name: 'errors', url }, projectId);
  await page.goto(`${longshore.url}${ROUTES.app(projectId, id)}`);
  const app = new AppPage(page);
  await app.shows('Ready');
  const request = () => requestApp(longshore, { id, name: 'errors' });
  const notice = page.getByText(/^Each of the last \d+ requests got a server error/);
  // Those in the minute in which the release went live do not count.
  const isShown = async () => {
    expect((await request()).status).toBe(500);
    return await notice.isVisible();
  };
  await expect.poll(isShown, { timeout: 200_000, interval: 1_000 }).toBe(true);
  await picture(page, 'visitor-errors');
  await page.getByRole('link', { name: 'Set DEPOT_NAME' }).click();
  await page.getByLabel('Value 1').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('North quay');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved. The app restarts without a rebuild.').waitFor();
  await app.openTab('Overview');
  await page.getByText('Release 2 went live').waitFor();
  await page.getByText('Visitors of this app get errors.').waitFor({ state: 'detached' });
  expect(await request()).toEqual({ status: 200, body: 'North quay' });
  expect(errors).toEqual([]);
});

it('builds an app with fallback fonts that could not download Google Fonts', async () => {
  const { app, id, served } = await openFailed('fonts', GOOGLE_FONTS_APP);
  const card = page.getByRole('alert');
  await card.getByText('Redeploy when fonts.googleapis.com can be reached').waitFor();
  await picture(page, 'failure-google-fonts');
  await page.getByRole('button', { name: 'Build with fallback fonts' }).click();
  await app.shows('Ready');
  expect(await served()).toEqual({ status: 200, body: 'Ahoy' });
  expect((await ada.app(id)).values.env).toEqual({ LONGSHORE_GOOGLE_FONTS: 'fallback' });
  expect(errors).toEqual([]);
});

// An app without a network of its own may listen on a port that another program needs.
it.skipIf(!isRoot)('changes a wrong port to the one that the app listens on', async () => {
  const { app, id, served } = await openFailed('fixed-port', FIXED_PORT_APP);
  await picture(page, 'failure-port');
  await page.getByRole('button', { name: 'Change the port to 8099' }).click();
  await app.shows('Ready');
  expect(await served()).toEqual({ status: 200, body: 'Ahoy' });
  expect((await ada.app(id)).values.ports).toEqual([{ number: 8099, expose: true }]);
  expect(errors).toEqual([]);
});

// Only root has control groups.
it.skipIf(!isRoot)('gives an app that ran out of memory the next larger size', async () => {
  const { app, id, served } = await openFailed('hungry', HUNGRY_APP);
  await page.getByText('The size of the app is 0.5 CPU, 512 MiB.').waitFor();
  await picture(page, 'failure-out-of-memory');
  await page.getByRole('button', { name: 'Change the size to 1 CPU, 1 GiB' }).click();
  await app.shows('Ready');
  expect(await served()).toEqual({ status: 200, body: 'Ahoy' });
  expect((await ada.app(id)).values.resourceTier).toBe('t2');
  expect(errors).toEqual([]);
});
