import type { GitHost } from '@longshore/testkit/git-hosts';
import type { Page } from 'playwright-core';
import { AppPage } from '../pages/app-page.ts';
import { IntegrationsPage } from '../pages/integrations-page.ts';
import { createProject } from '../pages/projects-page.ts';
import { signUp } from '../pages/sign-up-page.ts';
import type { createReel } from './camera.ts';

export type Sources = { url: string; shop: string; broken: string; gitlab: GitHost };

export type TourUrls = {
  url: string;
  project: string;
  shop: string;
  broken: string;
  domain: string;
};

/** Signs up and deploys as a new user. The reel records the steps from an empty account to a running app. */
export async function fillAccount(
  page: Page,
  reel: ReturnType<typeof createReel>,
  { url, shop, broken, gitlab }: Sources,
): Promise<TourUrls> {
  const app = new AppPage(page);
  await signUp(page, url, 'ada@example.com');
  await page.getByRole('button', { name: 'New Project' }).first().waitFor();
  await reel.keep(1_500);
  for (const name of ['blog', 'billing']) {
    await createProject(page, name);
    await page.goto(`${url}/dashboard`);
  }
  await createProject(page, 'harbour-shop');
  await reel.keep(1_200);
  const project = page.url();
  const shopUrl = await deploy(page, { name: 'shop', source: shop }, () => reel.keep(1_500));
  await app.showsText('compiling basket');
  await reel.keep(1_200);
  await app.shows('Ready');
  await page.getByText('GET /lamps').first().waitFor();
  await reel.keep(3_000);
  await page.goto(project);
  const brokenUrl = await deploy(page, { name: 'mailer', source: broken }, async () => {});
  await app.shows('Error');
  await page.goto(project);
  const domain = await deployAt(page, 'www.harbour.example', { name: 'site', source: shop });
  await changeName(page, shopUrl);
  await app.openTab('Settings');
  await page.getByRole('switch', { name: 'Deploy on push' }).click();
  await page.getByText('once you add this webhook').waitFor();
  await connect(page, gitlab);
  return { url, project, shop: shopUrl, broken: brokenUrl, domain };
}

async function deploy(
  page: Page,
  { name, source }: { name: string; source: string },
  beforeSending: () => Promise<void>,
): Promise<string> {
  await page.getByRole('button', { name: 'Deploy App' }).first().click();
  await page.getByRole('button', { name: 'Manual deployment' }).click();
  await page.getByLabel('Source URL').fill(source);
  await page.getByLabel('Application Name').fill(name);
  await page.getByLabel('Port', { exact: true }).fill('3000');
  await page.getByLabel('Key 1').fill('SHOP_NAME');
  await page.getByLabel('Value 1').fill('Harbour');
  await beforeSending();
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await page.waitForURL(/\/apps\/[0-9a-f-]{36}$/);
  return page.url();
}

/** A second release, so that a rollback is possible. */
async function changeName(page: Page, shop: string): Promise<void> {
  await page.goto(shop);
  await page.getByRole('button', { name: 'Edit App' }).click();
  await page.getByLabel('Value 1').fill('Harbour & Sons');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.goto(`${shop}/deployments`);
  await page.getByText('#2').first().waitFor();
  await page.goto(shop);
  await new AppPage(page).shows('Ready');
}

/** Deploys with a custom domain that does not point to this server. */
async function deployAt(
  page: Page,
  domain: string,
  app: { name: string; source: string },
): Promise<string> {
  const appUrl = await deploy(page, app, async () => {
    await page.getByRole('switch', { name: 'Custom domain' }).click();
    await page.getByLabel('Domain', { exact: true }).fill(domain);
  });
  await new AppPage(page).shows('Ready');
  return appUrl;
}

async function connect(page: Page, gitlab: GitHost): Promise<void> {
  const integrations = new IntegrationsPage(page);
  await integrations.open();
  await integrations.connectByToken({
    provider: 'GitLab',
    address: gitlab.url,
    token: gitlab.state.issueToken('ada'),
  });
  await integrations.card('ada').waitFor();
}
