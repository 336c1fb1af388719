import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AppPage } from '../pages/app-page.ts';
import { changeVariable, deployFromGit } from '../pages/deploy-dialog.ts';
import { createProject } from '../pages/projects-page.ts';
import { signUp } from '../pages/sign-up-page.ts';
import { processesOf } from '../support/app-processes.ts';
import { picture, watchErrors } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { type Longshore, startLongshore } from '../support/longshore.ts';
import { addBranch, makeRepository } from '../support/repository.ts';
import { BLOCKED_BUILD_APP } from '../support/sample-apps.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { letTideIn, newTide } from '../support/tide.ts';

let folder: TemporaryFolder;
const browser = sharedBrowser();
let longshore: Longshore;
let restart: () => Promise<Longshore>;

beforeAll(async () => {
  folder = await temporaryFolder();
  const options = {
    dataDir: join(folder.path, 'data'),
    port: await freePort(),
    ingressPort: await freePort(),
  };
  restart = () => startLongshore(options);
  longshore = await restart();
});

afterAll(async () => {
  expect(await longshore?.stop()).toBe(0);
  await folder?.remove();
});

it.each([
  ['a user deploys, watches, hibernates, wakes, edits and deletes an app', { isKilled: false }],
  ['a user does the same when the server is killed during the deployment', { isKilled: true }],
])('%s', async (_, { isKilled }) => {
  const name = isKilled ? 'survivor' : 'hello';
  const tide = newTide();
  const url = await makeRepository(join(folder.path, name), BLOCKED_BUILD_APP);
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'no-preference',
  });
  const page = await context.newPage();
  const errors = watchErrors(page);

  await signUp(page, longshore.url, `${name}@example.com`);
  await createProject(page, `Project of ${name}`);
  const env = { PUBLIC_TIDE: tide, GREETING: 'Ahoy' };
  const appId = await deployFromGit(page, { name, url, port: 3000, env });

  const app = new AppPage(page);
  const other = new AppPage(await secondTab(page));
  for (const tab of [app, other]) {
    await tab.shows('Loading');
    await tab.showsText('waiting for the tide');
  }
  if (!isKilled) await picture(page, 'app-loading');

  if (isKilled) {
    await longshore.kill();
    longshore = await restart();
    await app.shows('Loading');
    errors.length = 0;
  }

  await letTideIn(appId, tide);
  for (const tab of [app, other]) await tab.shows('Ready');
  const address = await app.address();
  const visitor = await context.newPage();
  await visitor.goto(address);
  expect(await visitor.textContent('h1')).toBe('Ahoy');

  await visitor.goto(`${address}/lighthouse`);
  for (const tab of [app, other]) await tab.showsText('somebody asked for /lighthouse');
  if (!isKilled) await picture(page, 'app-ready');

  await page.bringToFront();
  await app.button('Hibernate').click();
  for (const tab of [app, other]) await tab.shows('Hibernated');
  await visitor.goto(address);
  expect(await visitor.textContent('body')).toContain('This app is hibernated.');
  if (!isKilled) await picture(page, 'app-hibernated');

  await page.bringToFront();
  await app.button('Wake').click();
  for (const tab of [app, other]) await tab.shows('Ready');
  await visitor.goto(address);
  expect(await visitor.textContent('h1')).toBe('Ahoy');

  await page.bringToFront();
  const effect = await changeVariable(page, 1, 'Land in sight');
  expect(effect).toContain('Restarts the app without a rebuild. The running release');
  await page.waitForURL(/\/projects\/[0-9a-f-]{36}$/);
  await expect.poll(() => greeting(visitor, address), { timeout: 30_000 }).toBe('Land in sight');
  await other.shows('Ready');

  await page.bringToFront();
  await page.getByRole('link', { name }).click();
  await app.shows('Ready');
  if (!isKilled) await retryAfterMissingBranch(page, { name, appId, tide, visitor, address });
  await page.bringToFront();
  expect(await processesOf(appId)).not.toEqual([]);
  await app.delete();
  await page.waitForURL(/\/projects\/[0-9a-f-]{36}$/);
  await other.showsText('Application not found');
  await expect.poll(() => processesOf(appId)).toEqual([]);
  await visitor.goto(address);
  expect(await visitor.textContent('body')).toContain('No app found at this address.');
  expect(errors).toEqual([]);
  await context.close();
});

type RetryOptions = {
  name: string;
  appId: string;
  tide: string;
  visitor: Page;
  address: string;
};

/** Deploys a missing branch: the old release keeps serving. Once the branch exists, saving again deploys it. */
async function retryAfterMissingBranch(
  page: Page,
  { name, appId, tide, visitor, address }: RetryOptions,
): Promise<void> {
  const app = new AppPage(page);
  const save = async (effect: RegExp) => {
    await page.getByRole('dialog').getByText(effect).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/\/projects\/[0-9a-f-]{36}$/);
    await page.getByRole('link', { name }).click();
  };
  await app.button('Edit App').click();
  await page.getByLabel('Source Ref').fill('spring');
  await save(/^Changes: ref main → spring\.$/);
  await app.shows('Error');
  await app.showsText('Serving release 2 · release 3 failed');
  await app.showsText('Release 2 keeps serving.');
  expect(await app.address()).toBe(address);
  expect(await greeting(visitor, address)).toBe('Land in sight');

  await page.bringToFront();
  await addBranch(join(folder.path, name), 'spring');
  await app.button('Edit App').click();
  await save(/^No changes\. Saving retries the deployment\.$/);
  await letTideIn(appId, tide);
  await app.shows('Ready');
  await app.openTab('Deployments');
  await page.getByText('#4', { exact: true }).waitFor();
  await app.openTab('Overview');
}

async function greeting(visitor: Page, address: string): Promise<string | null> {
  await visitor.goto(address);
  return await visitor.textContent('h1');
}

async function secondTab(page: Page): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  return tab;
}
