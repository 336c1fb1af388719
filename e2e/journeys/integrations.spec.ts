import { join } from 'node:path';
import { canRunDocker, startDockerTestEnvironment } from '@longshore/server/testing/docker';
import {
  canRunSshd,
  type GitlabServer,
  startGitlabServer,
} from '@longshore/server/testing/gitlab-server';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { AppPage } from '../pages/app-page.ts';
import { deployImage, deployRepository } from '../pages/deploy-dialog.ts';
import { IntegrationsPage } from '../pages/integrations-page.ts';
import { createProject } from '../pages/projects-page.ts';
import { signUp } from '../pages/sign-up-page.ts';
import { picture } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { type Longshore, startLongshore } from '../support/longshore.ts';
import { requestApp } from '../support/request-app.ts';
import { HELLO_APP } from '../support/sample-apps.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

const RESPONSE_TIMEOUT_MS = 60_000;
const STEP_TIMEOUT_MS = 30_000;
const REPOSITORY = 'acme/web/shop';

const browser = sharedBrowser();
let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

async function start(env: Record<string, string> = {}): Promise<Longshore> {
  const port = await freePort();
  const dataDir = join(folder.path, `data-${port}`);
  const longshore = await startLongshore({ dataDir, port, ingressPort: await freePort(), env });
  onTestFinished(async () => void (await longshore.stop()));
  return longshore;
}

async function openPage({ url }: Longshore, email: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_TIMEOUT_MS);
  await signUp(page, url, email);
  return page;
}

/** HELLO_APP with another greeting. */
function greets(greeting: string): Record<string, string> {
  const server = HELLO_APP['server.js'].replace("'Ahoy'", JSON.stringify(greeting));
  return { ...HELLO_APP, 'server.js': server };
}

describe.skipIf(!canRunSshd)('a private repository', () => {
  let host: GitlabServer;
  beforeAll(async () => {
    host = await startGitlabServer();
    host.code.state.addRepository({ fullName: REPOSITORY, members: ['ada'] });
  });
  beforeEach(() => {
    host.code.state.hooks.length = 0;
    host.code.state.keys.length = 0;
  });
  afterAll(() => host.stop());

  it.each([
    { protocol: 'ssh', isOverHttps: false },
    { protocol: 'https', isOverHttps: true },
  ])(
    'is deployed over $protocol, redeployed by a push, and disconnected with its account',
    async ({ protocol, isOverHttps }) => {
      await host.push(REPOSITORY, greets(`First over ${protocol}`));
      const longshore = await start();
      const token = host.code.state.issueToken('ada', 'glpat-sentinel-');
      const page = await openPage(longshore, `${protocol}@example.com`);
      const integrations = new IntegrationsPage(page);
      await integrations.open();
      await integrations.connectByToken({ provider: 'GitLab', address: host.url, token });
      await integrations.card('ada').waitFor();

      await page.getByRole('link', { name: 'Projects' }).first().click();
      await createProject(page, 'Harbour');
      const deployment = { account: 'ada', repository: REPOSITORY, name: 'shop', port: 3000 };
      const id = await deployRepository(page, { ...deployment, isOverHttps });
      const app = new AppPage(page);
      await app.shows('Ready');
      const greeting = async () => (await requestApp(longshore, { id, name: 'shop' })).body;
      expect(await greeting()).toBe(`First over ${protocol}`);
      expect(host.code.state.keys).toHaveLength(isOverHttps ? 0 : 1);

      await app.openTab('Settings');
      await page.getByRole('switch', { name: 'Deploy on push' }).click();
      await expect.poll(() => host.code.state.hooks.length).toBe(1);
      const pushedGreeting = `Pushed over ${protocol}`;
      await host.push(REPOSITORY, greets(pushedGreeting));
      await expect.poll(greeting, { timeout: RESPONSE_TIMEOUT_MS }).toBe(pushedGreeting);
      await app.shows('Ready');
      await page
        .getByText(/pushed to main/)
        .first()
        .waitFor();
      await app.openTab('Deployments');
      const releases = page.getByRole('region', { name: 'Releases' });
      await releases.getByText('A change', { exact: true }).waitFor();
      await releases.getByText('Push to main by Ada Lovelace', { exact: true }).waitFor();
      await releases.getByText('By you', { exact: true }).waitFor();
      await picture(page, `pushed-over-${protocol}`);
      expect(longshore.output()).not.toContain(token);

      await integrations.open();
      await integrations.remove('ada');
      await page.getByText('No integrations found').waitFor();
      await expect.poll(() => host.code.state.keys).toEqual([]);
      await expect.poll(() => host.code.state.hooks).toEqual([]);
      expect(await greeting()).toBe(pushedGreeting);
    },
  );
});

describe.skipIf(!canRunDocker)('a private image', () => {
  it("is pulled with the registry's credentials, and not without", async () => {
    const docker = await startDockerTestEnvironment({ isPrivate: true });
    onTestFinished(docker.stop);
    const longshore = await start(docker.env);
    const page = await openPage(longshore, 'image@example.com');
    const integrations = new IntegrationsPage(page);
    await integrations.open();
    await integrations.connectRegistry(docker.account);
    await integrations.card(docker.account.username).waitFor();

    await page.getByRole('link', { name: 'Projects' }).first().click();
    await createProject(page, 'Harbour');
    const image = { image: docker.image, port: 3000, env: { GREETING: 'Ahoy' } };
    await deployImage(page, { ...image, name: 'open' });
    const app = new AppPage(page);
    await app.shows('Error');
    await picture(page, 'private-image-refused');

    await page.getByRole('link', { name: 'Harbour' }).first().click();
    const access = `${docker.account.username} (${docker.account.host})`;
    const id = await deployImage(page, { ...image, name: 'closed', access });
    await app.shows('Ready');
    const greeting = async () => (await requestApp(longshore, { id, name: 'closed' })).body;
    await expect.poll(greeting, { timeout: RESPONSE_TIMEOUT_MS }).toContain('Ahoy');
    expect(longshore.output()).not.toContain(docker.account.password);
  });
});
