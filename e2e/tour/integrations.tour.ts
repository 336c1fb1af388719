import { join } from 'node:path';
import { startGiteaHost } from '@longshore/testkit/git-hosts';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openRepositories } from '../pages/deploy-dialog.ts';
import { IntegrationsPage } from '../pages/integrations-page.ts';
import { createProject } from '../pages/projects-page.ts';
import { signUp } from '../pages/sign-up-page.ts';
import { launchBrowser } from '../support/browser.ts';
import { addRepositories } from '../support/connected-host.ts';
import { freePort } from '../support/free-port.ts';
import { ROOT, startLongshore } from '../support/longshore.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createCamera, openWindow, type Theme } from './camera.ts';

const camera = createCamera(join(ROOT, 'docs/guide/pictures'));

/** Takes the pictures of connecting accounts. GitLab is configured, GitHub is not. */
it('takes the pictures of integrations', async () => {
  const folder = await temporaryFolder();
  const gitea = await startGiteaHost();
  const longshore = await startLongshore({
    dataDir: join(folder.path, 'data'),
    port: await freePort(),
    ingressPort: await freePort(),
    env: { LONGSHORE_GITLAB_CLIENT_ID: 'longshore', LONGSHORE_GITLAB_CLIENT_SECRET: 'unused' },
  });
  const browser = await launchBrowser();
  try {
    addRepositories(gitea);
    const page = await openWindow(browser, 'light');
    await signUp(page, longshore.url, 'ada@example.com');
    const integrations = new IntegrationsPage(page);
    await integrations.open();
    const token = gitea.state.issueToken('ada');
    await integrations.connectByToken({ provider: 'Gitea / Forgejo', address: gitea.url, token });
    await integrations.card('ada').waitFor();
    const storage = await page.context().storageState();
    for (const theme of ['light', 'dark'] as const) {
      const themedPage = await openWindow(browser, theme, storage);
      await takePictures(themedPage, theme, longshore.url);
      await themedPage.context().close();
    }
  } finally {
    await browser.close();
    expect(await longshore.stop()).toBe(0);
    await gitea.close();
    await folder.remove();
  }
});

async function takePictures(page: Page, theme: Theme, url: string): Promise<void> {
  const take = (name: string) => camera(page, name, theme);
  await page.goto(`${url}/dashboard/integrations`);
  await page.getByRole('button', { name: 'Add New Integration' }).first().click();
  await page.getByRole('button', { name: 'Continue with GitLab' }).waitFor();
  await take('connect-gitlab');
  await page.getByRole('radio', { name: 'GitHub' }).click();
  await page.getByText('is not configured').click();
  await take('connect-github');
  await page.getByRole('tab', { name: 'Container registry' }).click();
  await page.getByRole('radio', { name: 'Other registry' }).click();
  await page.getByLabel('Registry host').fill('ghcr.io');
  await page.getByLabel('Username').fill('ada');
  await take('connect-registry');
  await page.goto(`${url}/dashboard`);
  await createProject(page, `harbour-${theme}`);
  await openRepositories(page, 'ada');
  await page.getByRole('option').first().waitFor();
  await take('repositories');
}
