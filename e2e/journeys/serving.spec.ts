import { join } from 'node:path';
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
import { BLOCKED_BUILD_APP, CRASHING } from '../support/sample-apps.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { letTideIn, newTide, TIDE_IN } from '../support/tide.ts';

let folder: TemporaryFolder;
const browser = sharedBrowser();
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

/** Waits for the tide, prints colours and a progress bar, and fails. */
const FAILING_LATER = {
  'build.js': `
    const { existsSync } = require('node:fs');
    const timer = setInterval(() => {
      if (!existsSync(process.env.PUBLIC_TIDE)) return;
      clearInterval(timer);
      process.stderr.write('10 %\\r100 %\\n');
      console.error('\\u001b[31mthe mast broke\\u001b[0m');
      process.exitCode = 3;
    }, 50);
  `,
};

it('a user reaches the serving release while newer ones are built, fail and crash', async () => {
  const tide = newTide();
  const repository = join(folder.path, 'hello');
  const url = await makeRepository(repository, BLOCKED_BUILD_APP);
  const account = await signUp(longshore.url, 'ada@example.com');
  const projectId = await account.createProject('Fleet');
  const id = await account.deploy({ name: 'hello', url, env: { PUBLIC_TIDE: TIDE_IN } }, projectId);
  const context = await browser.newContext({ viewport: { width: 1440, height: 1100 } });
  const page = await context.newPage();
  const errors = watchErrors(page);
  await signInAs(page, longshore.url, 'ada@example.com');
  await page.goto(`${longshore.url}/dashboard/projects/${projectId}/apps/${id}`);
  const app = new AppPage(page);
  await app.shows('Ready');

  await makeRepository(repository, { ...BLOCKED_BUILD_APP, ...FAILING_LATER });
  await account.edit(id, { env: { PUBLIC_TIDE: tide } });
  await app.showsText('Serving release 1 · deploying release 2');
  const visitor = await context.newPage();
  await visitor.goto(`${await servingAt(page)}/lighthouse`);
  expect(await visitor.textContent('h1')).toBe('Ahoy');
  await page.bringToFront();
  const log = page.getByRole('log', { name: 'Logs of the serving release' });
  await log.getByText('somebody asked for /lighthouse').waitFor();
  await pictures(page, 'serving-build');

  await letTideIn(id, tide);
  await app.shows('Error');
  await app.showsText('Serving release 1 · release 2 failed');
  const failure = page.getByRole('alert');
  expect(await failure.locator('code').textContent()).toMatch(/^[0-9a-f]{7}$/);
  const evidence = (await failure.locator('pre').textContent()) ?? '';
  expect(evidence).toContain('the mast broke');
  expect(evidence).not.toMatch(/\[31m|10 %/);
  await app.openTab('Deployments');
  const failed = page.getByRole('region', { name: 'Releases' }).getByRole('listitem').first();
  expect(await failed.locator('code').textContent()).toMatch(/^[0-9a-f]{7}$/);
  await pictures(page, 'serving-deployments');
  await app.openTab('Overview');
  await visitor.goto(await servingAt(page));
  expect(await visitor.textContent('h1')).toBe('Ahoy');
  await page.bringToFront();
  await pictures(page, 'serving-failed');

  await makeRepository(repository, { ...CRASHING, 'build.js': '' });
  await account.edit(id, { env: {} });
  await app.showsText('Serving release 1 · retrying release 3');
  const timer = page.getByRole('timer').filter({ hasText: /Restarting in \d\d s/ });
  await timer.waitFor({ timeout: 60_000 });
  await pictures(page, 'serving-crash-loop');
  const crashes = async () => /Crashed (\d+) times/.exec((await failure.textContent()) ?? '')?.[1];
  const before = Number(await crashes());
  await page.getByRole('button', { name: 'Restart now' }).click();
  await expect.poll(crashes, { timeout: 8_000 }).toBe(String(before + 1));
  expect(errors).toEqual([]);
}, 180_000);

async function servingAt(page: Page): Promise<string> {
  const card = page.getByRole('region', { name: 'Serving at' });
  const link = card.getByRole('link', { name: /^http:\/\/.*\.localhost:\d+/ });
  return (await link.getAttribute('href')) ?? '';
}

/** Light, dark and on a phone. */
async function pictures(page: Page, name: string): Promise<void> {
  await picture(page, name);
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture(page, `${name}-dark`);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 360, height: 1600 });
  await picture(page, `${name}-360`);
  await page.setViewportSize({ width: 1440, height: 1100 });
}
