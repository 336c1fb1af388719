import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROUTES } from '@longshore/contract';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signInAs } from '../pages/login-page.ts';
import { signUp } from '../support/account.ts';
import { makeRepository } from '../support/repository.ts';
import { requestApp } from '../support/request-app.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { sharedLongshore } from '../support/shared-longshore.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const EMAIL = 'ada@example.com';
const LINES = 6_000;

/** Prints its lines when it starts, then listens. */
const PRINTING_APP = {
  'package.json': JSON.stringify({ private: true, scripts: { start: 'node server.js' } }),
  'server.js': `
    let text = '';
    for (let number = 1; number <= ${LINES}; number += 1) text += 'cargo ' + number + ' of ${LINES}\\n';
    process.stdout.write(text);
    require('node:http').createServer((_, response) => response.end('Ahoy')).listen(process.env.PORT);
  `,
};

const longshore = sharedLongshore({ LONGSHORE_REQUIRE_VERIFIED_EMAIL: 'false' });
const browser = sharedBrowser();
let folder: TemporaryFolder;
let context: BrowserContext;
let app: { id: string; name: string };
let page: Page;
let log: Locator;

beforeAll(async () => {
  folder = await temporaryFolder();
  context = await browser.newContext();
  const account = await signUp(longshore.url, EMAIL);
  const url = await makeRepository(join(folder.path, 'printing'), PRINTING_APP);
  const projectId = await account.createProject('Storefront');
  const id = await account.deploy({ name: 'web', url }, projectId);
  app = { id, name: 'web' };
  await waitFor(async () => (await account.app(id)).status === 'synced', 60_000);
  page = await context.newPage();
  await signInAs(page, longshore.url, EMAIL);
  await page.goto(`${longshore.url}${ROUTES.app(projectId, id)}/logs`);
  log = page.getByRole('log', { name: 'Logs' });
});
afterAll(async () => {
  await context?.close();
  await folder?.remove();
});

it('search, scrolling and download reach every line that is kept', async () => {
  await log.getByText(`cargo ${LINES} of`).waitFor();

  // A line that the page has not loaded is found on the server and shown with the lines around it.
  await page.getByLabel('Search logs').fill('CARGO 1234 of');
  await page.getByText('1/1').waitFor();
  await log.getByText('cargo 1235 of').waitFor();

  // From there, older lines are loaded while scrolling up, to the first line of the build.
  await log.focus();
  await expect
    .poll(async () => {
      await page.keyboard.press('Home');
      return await log.getByText('Release 1: fetching').count();
    })
    .toBe(1);

  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await log.getByText(`cargo ${LINES} of`).waitFor();

  // The build lines are not among the lines that the page got first.
  await page.getByLabel('Search logs').fill('');
  await page.getByRole('radio', { name: 'Build' }).click();
  await log.getByText('Release 1: fetching').waitFor();
  expect(await log.getByText('cargo').count()).toBe(0);

  await page.getByRole('radio', { name: 'App' }).click();
  await page.getByRole('button', { name: 'Download' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /^Everything kept/ }).click();
  const file = await readFile(await (await downloading).path(), 'utf8');
  expect(file.match(/\]: cargo \d+ of/g)).toHaveLength(LINES);
  expect(file).not.toContain('-build-');
});

it('shows requests as another source, live and without their query', async () => {
  await page.getByRole('radio', { name: 'Access' }).click();
  await page.getByText('Requests to the app appear here').waitFor();
  await requestApp(longshore, app, '/hold/7?token=barnacle');
  await log.getByText(/^200 GET .+\/hold\/7$/).waitFor();
  expect(await page.getByText('barnacle').count()).toBe(0);

  await page.getByRole('button', { name: 'Download' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Everything kept' }).click();
  const file = await readFile(await (await downloading).path(), 'utf8');
  expect(file).toMatch(/-access\]: 200 GET .+\/hold\/7\n/);
  expect(file).not.toMatch(/cargo|barnacle/);

  await page.getByRole('radio', { name: 'Output' }).click();
  await log.getByText(`cargo ${LINES} of`).waitFor();
  expect(await log.getByText('/hold/7').count()).toBe(0);
});
