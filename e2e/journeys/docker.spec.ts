import { join } from 'node:path';
import {
  canRunDocker,
  type DockerTestEnvironment,
  startDockerTestEnvironment,
} from '@longshore/server/testing/docker';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppPage } from '../pages/app-page.ts';
import { changeVariable, deployFromGit, deployImage } from '../pages/deploy-dialog.ts';
import { createProject } from '../pages/projects-page.ts';
import { signUp } from '../pages/sign-up-page.ts';
import { picture, watchErrors } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { type Longshore, startLongshore } from '../support/longshore.ts';
import { makeRepository } from '../support/repository.ts';
import { HELLO_APP } from '../support/sample-apps.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

const REMOVAL_TIMEOUT_MS = 30_000;

describe.skipIf(!canRunDocker)('with Docker', () => {
  let folder: TemporaryFolder;
  let docker: DockerTestEnvironment;
  const browser = sharedBrowser();
  let longshore: Longshore;
  let restart: () => Promise<Longshore>;
  let context: BrowserContext;
  let page: Page;
  let errors: string[];
  let userCount = 0;

  beforeAll(async () => {
    folder = await temporaryFolder();
    docker = await startDockerTestEnvironment();
    const options = {
      dataDir: join(folder.path, 'data'),
      port: await freePort(),
      ingressPort: await freePort(),
      env: docker.env,
    };
    restart = () => startLongshore(options);
    longshore = await restart();
  });
  afterAll(async () => {
    const code = await longshore?.stop();
    await docker?.stop();
    await folder?.remove();
    expect(code).toBe(0);
  });

  beforeEach(async () => {
    userCount += 1;
    context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    page = await context.newPage();
    errors = watchErrors(page);
    await signUp(page, longshore.url, `person-${userCount}@example.com`);
    await createProject(page, `Harbour ${userCount}`);
  });
  afterEach(() => context.close());

  it('a user deploys an image, watches, hibernates, wakes, edits and deletes it', async () => {
    const { image } = docker;
    const env = { GREETING: 'Ahoy' };
    const appId = await deployImage(page, { name: 'hello', image, port: 3000, env });
    const app = new AppPage(page);
    await app.shows('Ready');
    await app.showsText('greets with Ahoy');
    await picture(page, 'docker-image-ready');
    const address = await app.address();
    const visitor = await context.newPage();
    expect(await greeting(visitor, address)).toBe('Ahoy');

    await page.bringToFront();
    await app.button('Hibernate').click();
    await app.shows('Hibernated');
    expect(await containersOf(appId)).toEqual([]);
    await app.button('Wake').click();
    await app.shows('Ready');
    expect(await greeting(visitor, address)).toBe('Ahoy');

    await page.bringToFront();
    await changeVariable(page, 1, 'Land in sight');
    await expect.poll(() => greeting(visitor, address), { timeout: 120_000 }).toBe('Land in sight');

    await page.bringToFront();
    await page.getByRole('link', { name: 'hello' }).click();
    await app.shows('Ready');
    await app.delete();
    await page.waitForURL(/\/projects\/[0-9a-f-]{36}$/);
    await expect.poll(() => containersOf(appId), { timeout: REMOVAL_TIMEOUT_MS }).toEqual([]);
    expect(await docker.operator.image(`${image}:latest`)).toBeUndefined();
    expect(errors).toEqual([]);
  });

  it('a missing image is reported with the specified text', async () => {
    await deployImage(page, { name: 'nothing', image: `${docker.image}-of-nobody`, port: 3000 });
    const app = new AppPage(page);
    await app.shows('Error');
    await app.showsText('Failed to pull image, does it exist?');
    await picture(page, 'docker-image-missing');
    expect(errors).toEqual([]);
  });

  it('a repository without a Dockerfile is built and runs', async () => {
    const url = await makeRepository(join(folder.path, 'plain'), HELLO_APP);
    await deployFromGit(page, { name: 'plain', url, port: 3000, env: { GREETING: 'Plain' } });
    const app = new AppPage(page);
    await app.shows('Ready');
    const visitor = await context.newPage();
    await visitor.goto(await app.address());
    expect(await visitor.textContent('body')).toBe('Plain');
    expect(errors).toEqual([]);
  });

  it('a deployment continues after a server kill during the build, and the app survives a Docker kill', async () => {
    const url = await makeRepository(join(folder.path, 'built'), {
      Dockerfile: [
        `FROM ${docker.shellImage}`,
        'RUN echo waiting for the tide && sleep 5',
        'RUN busybox mkdir /site && echo "<h1>Built</h1>" > /site/index.html',
        'CMD ["sh", "-c", "exec httpd -f -p $PORT -h /site"]',
        '',
      ].join('\n'),
    });
    const appId = await deployFromGit(page, { name: 'built', url, port: 3000 });
    const app = new AppPage(page);
    await app.showsText('waiting for the tide');
    await picture(page, 'docker-building');
    await longshore.kill();
    longshore = await restart();
    await app.shows('Ready');
    const address = await app.address();
    const visitor = await context.newPage();
    expect(await greeting(visitor, address)).toBe('Built');
    expect(await containersOf(appId)).toHaveLength(1);

    await docker.kill();
    await docker.startAgain();
    await expect.poll(() => greeting(visitor, address), { timeout: 120_000 }).toBe('Built');
    await page.bringToFront();
    await app.shows('Ready');
    expect(await containersOf(appId)).toHaveLength(1);
  });

  async function containersOf(appId: string): Promise<string[]> {
    const found = await docker.operator.containers();
    return found.flatMap(({ Names }) => Names).filter((name) => name.includes(appId));
  }
});

async function greeting(visitor: Page, address: string): Promise<string | null> {
  await visitor.goto(address);
  return await visitor.textContent('h1', { timeout: 1_000 }).catch(() => null);
}
