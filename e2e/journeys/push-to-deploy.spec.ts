import {
  canRunSshd,
  type GitlabServer,
  startGitlabServer,
} from '@longshore/server/testing/gitlab-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppPage } from '../pages/app-page.ts';
import { deployRepository } from '../pages/deploy-dialog.ts';
import { IntegrationsPage } from '../pages/integrations-page.ts';
import { createProject } from '../pages/projects-page.ts';
import { signUp } from '../pages/sign-up-page.ts';
import { picture, watchErrors } from '../support/browser.ts';
import { layoutProblems } from '../support/fit/layout-problems.ts';
import { requestApp } from '../support/request-app.ts';
import { HELLO_APP } from '../support/sample-apps.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { sharedLongshore } from '../support/shared-longshore.ts';

const REPOSITORY = 'acme/shop';
const STEP_TIMEOUT_MS = 60_000;
const DEPLOY = { timeout: 120_000 };
const WIDE = { width: 1440, height: 900 };

/** The app reads its greeting, so that each file has its own push. */
const FILES = {
  ...HELLO_APP,
  'server.js': HELLO_APP['server.js'].replace(
    "process.env.GREETING ?? 'Ahoy'",
    "require('node:fs').readFileSync('greeting.txt')",
  ),
  'docs/guide.md': 'Version 1',
};

describe.skipIf(!canRunSshd)('push to deploy', () => {
  let host: GitlabServer;
  const browser = sharedBrowser();
  const longshore = sharedLongshore({ LONGSHORE_REQUIRE_VERIFIED_EMAIL: 'false' });
  beforeAll(async () => {
    host = await startGitlabServer();
    host.code.state.addRepository({ fullName: REPOSITORY, members: ['ada'] });
  });
  afterAll(() => host.stop());

  it('deploys only pushes that change watched files and do not say otherwise, and calls of the deploy hook', async () => {
    await host.push(REPOSITORY, { ...FILES, 'greeting.txt': 'First' });
    const page = await (await browser.newContext({ viewport: WIDE })).newPage();
    page.setDefaultTimeout(STEP_TIMEOUT_MS);
    const errors = watchErrors(page);
    await signUp(page, longshore.url, 'ada@example.com');
    const integrations = new IntegrationsPage(page);
    await integrations.open();
    const token = host.code.state.issueToken('ada');
    await integrations.connectByToken({ provider: 'GitLab', address: host.url, token });
    await integrations.card('ada').waitFor();
    await page.getByRole('link', { name: 'Projects' }).first().click();
    await createProject(page, 'Harbour');
    const id = await deployRepository(page, {
      account: 'ada',
      repository: REPOSITORY,
      name: 'shop',
      port: 3000,
      isOverHttps: true,
    });
    const app = new AppPage(page);
    await app.shows('Ready');
    const greeting = async () => (await requestApp(longshore, { id, name: 'shop' })).body;
    expect(await greeting()).toBe('First');

    await app.openTab('Settings');
    await page.getByRole('switch', { name: 'Deploy on push' }).click();
    await expect.poll(() => host.code.state.hooks.length).toBe(1);
    await page.getByLabel('Watch paths').fill('*.txt\n!secret.txt');
    await page.getByText('Changes: watch paths.').waitFor();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Saved. Nothing restarts.').waitFor();

    // A push is deployed only if it should be: each of these would change the greeting.
    const pushes = page.getByRole('region', { name: 'Push to deploy' });
    const deliveries = pushes.getByRole('listitem');
    await host.push(REPOSITORY, { 'docs/guide.md': 'Version 2' });
    await deliveries.filter({ hasText: 'No changed file matches' }).waitFor();
    await host.push(REPOSITORY, { 'greeting.txt': 'Skipped' }, { message: 'Try [skip deploy]' });
    await deliveries.filter({ hasText: 'contains [skip deploy]' }).waitFor();
    expect(await deliveries.filter({ hasText: 'Ignored' }).count()).toBe(2);
    expect(await greeting()).toBe('First');
    await picture(page, 'push-to-deploy');

    await host.push(REPOSITORY, { 'greeting.txt': 'Watched' });
    await expect.poll(greeting, DEPLOY).toBe('Watched');
    await deliveries.filter({ hasText: 'was pushed to main' }).waitFor();
    await app.shows('Ready');

    const card = page.getByRole('region', { name: 'Deploy hook' });
    await card.getByRole('button', { name: 'Create deploy hook' }).click();
    await card.getByRole('button', { name: 'Show URL' }).click();
    const url = (await card.getByText(/^http.*key=[\w-]{43}$/).textContent()) ?? '';
    expect(await layoutProblems(page, 'phone')).toEqual([]);
    await page.setViewportSize(WIDE);

    await host.push(REPOSITORY, { 'greeting.txt': 'Hooked' }, { message: 'Later [skip deploy]' });
    await expect.poll(() => deliveries.filter({ hasText: '[skip deploy]' }).count()).toBe(2);
    expect((await fetch(url)).status).toBe(405);
    expect(await greeting()).toBe('Watched');
    expect((await fetch(url, { method: 'POST' })).status).toBe(202);
    await expect.poll(greeting, DEPLOY).toBe('Hooked');
    await app.openTab('Deployments');
    const releases = page.getByRole('region', { name: 'Releases' }).getByRole('listitem');
    await releases.first().getByText('Deploy hook', { exact: true }).waitFor();
    await releases.first().getByText('Live').waitFor();
    expect(await releases.count()).toBe(3);
    await picture(page, 'deployed-by-hook');

    await app.openTab('Settings');
    await card.getByRole('button', { name: 'Replace URL' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Replace' }).click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await expect.poll(async () => (await fetch(url, { method: 'POST' })).status).toBe(404);
    await card.getByRole('button', { name: 'Remove hook' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await card.getByRole('button', { name: 'Create deploy hook' }).waitFor();
    expect(longshore.output()).not.toContain(new URL(url).searchParams.get('key'));
    expect(errors).toEqual([]);
  });
});
