import { type GitHost, startGiteaHost, startGitlabHost } from '@longshore/testkit/git-hosts';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRepositories } from '../pages/deploy-dialog.ts';
import { IntegrationsPage } from '../pages/integrations-page.ts';
import { createProject } from '../pages/projects-page.ts';
import { signUp } from '../pages/sign-up-page.ts';
import { picture } from '../support/browser.ts';
import { layoutProblems } from '../support/fit/layout-problems.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { sharedLongshore } from '../support/shared-longshore.ts';

const REPOSITORIES = 340;
const STEP_TIMEOUT_MS = 60_000;
const WIDE = { width: 1440, height: 900 };

let gitlab: GitHost;
let gitea: GitHost;
const browser = sharedBrowser();
const longshore = sharedLongshore(async (url) => {
  gitlab = await startGitlabHost();
  gitlab.oauth.app.redirectUris = [`${url}/v1/connect/oauth/public/gitlab/callback`];
  return {
    LONGSHORE_REQUIRE_VERIFIED_EMAIL: 'false',
    LONGSHORE_GITLAB_URL: gitlab.url,
    LONGSHORE_GITLAB_CLIENT_ID: gitlab.oauth.app.clientId,
    LONGSHORE_GITLAB_CLIENT_SECRET: gitlab.oauth.app.clientSecret,
  };
});

beforeAll(async () => {
  gitea = await startGiteaHost();
});
afterAll(async () => {
  await gitlab?.close();
  await gitea?.close();
});

async function openPage(email: string): Promise<Page> {
  const context = await browser.newContext({ viewport: WIDE });
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_TIMEOUT_MS);
  await signUp(page, longshore.url, email);
  return page;
}

/** Screen readers get toasts from a separate live region with additional text. */
async function showsText(page: Page, text: string): Promise<void> {
  await page.getByText(text, { exact: true }).waitFor();
}

it('a user connects GitLab by OAuth, picks a repository and disconnects', async () => {
  for (let at = 0; at < REPOSITORIES; at += 1) {
    const activeAt = new Date(Date.UTC(2026, 0, 1) + at * 3_600_000).toISOString();
    gitlab.state.addRepository({ fullName: `acme/tools/part-${at}`, members: ['ada'], activeAt });
  }
  gitlab.state.addRepository({
    fullName: 'acme/web/shop',
    description: 'What we sell',
    members: ['ada'],
    activeAt: '2020-01-01T00:00:00.000Z',
    branches: ['main', 'feature/cart'],
    tags: ['v1.0'],
  });
  const page = await openPage('connects@example.com');
  const integrations = new IntegrationsPage(page);
  await integrations.open();
  await showsText(page, 'No integrations found');

  gitlab.oauth.consent.isGranted = false;
  await integrations.signInWith('GitLab');
  await showsText(page, 'You denied access, so nothing was connected.');
  await page.waitForURL(({ search }) => search === '');

  gitlab.oauth.consent.isGranted = true;
  await integrations.signInWith('GitLab');
  await showsText(page, 'GitLab connected');
  await integrations.card('ada').getByText('OAuth').waitFor();
  await page.waitForURL(({ search }) => search === '');
  await picture(page, 'integrations');

  await page.getByRole('link', { name: 'Projects' }).first().click();
  await createProject(page, 'Harbour');
  await openRepositories(page, 'ada');
  await page.getByText(`Showing 100 of ${REPOSITORIES + 1}.`).waitFor();
  expect(await layoutProblems(page, 'zoomed phone')).toEqual([]);
  await page.setViewportSize(WIDE);
  await page.keyboard.type('web/shop');
  await page.getByText('1 repository', { exact: true }).waitFor();
  await picture(page, 'repositories');
  await page.keyboard.press('Enter');
  await page.getByText('git@127.0.0.1:acme/web/shop.git').waitFor();
  await page.getByLabel('Source Ref').click();
  await page.getByRole('option', { name: 'feature/cart branch' }).click();
  expect(await page.getByLabel('Source Ref').inputValue()).toBe('feature/cart');
  expect(await page.getByLabel('Application Name').inputValue()).toBe('shop');
  await picture(page, 'configure-repository');
  await page.keyboard.press('Escape');

  await integrations.open();
  await integrations.remove('ada');
  await showsText(page, 'No integrations found');
});

it('reconnecting an expired account keeps the integration', async () => {
  const page = await openPage('again@example.com');
  const integrations = new IntegrationsPage(page);
  const token = gitea.state.issueToken('grace');
  await integrations.open();
  await integrations.connectByToken({
    provider: 'Gitea / Forgejo',
    address: gitea.url,
    token: 'wrong',
  });
  await showsText(page, 'Authentication failed. Please check your credentials.');
  await page.getByLabel('Personal access token').fill(token);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await integrations.card('grace').getByText('Credentials').waitFor();

  gitea.state.revokeToken(token);
  await page.getByRole('link', { name: 'Projects' }).first().click();
  await createProject(page, 'Harbour');
  await openRepositories(page, 'grace');
  await showsText(page, 'Failed to load repositories');
  await page.getByRole('link', { name: /Reconnect it/ }).click();

  await page.getByRole('button', { name: 'Reconnect grace' }).click();
  await page.getByLabel('Server URL').fill(gitea.url);
  await page.getByLabel('Personal access token').fill(gitea.state.issueToken('grace'));
  await picture(page, 'reconnect');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await showsText(page, 'Gitea / Forgejo connected');
  await page.getByText('Access expired').waitFor({ state: 'detached' });
  expect(await integrations.card('grace').count()).toBe(1);
});
