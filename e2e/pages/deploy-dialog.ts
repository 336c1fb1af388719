import type { Page } from 'playwright-core';

type App = { name: string; port: number; env?: Record<string, string> };
export type GitApp = App & { url: string };
/** `access`: the label of the integration used to pull the image. */
export type ImageApp = App & { image: string; access?: string };
export type RepositoryApp = App & { account: string; repository: string; isOverHttps?: boolean };

/** Deploys from a git URL. Ends on the new app's page and returns the app's id. */
export async function deployFromGit(page: Page, app: GitApp): Promise<string> {
  await openForm(page);
  await page.getByLabel('Source URL').fill(app.url);
  return await deploy(page, app);
}

/** Deploys a container image. Ends on the new app's page and returns the app's id. */
export async function deployImage(page: Page, app: ImageApp): Promise<string> {
  await openForm(page);
  await page.getByRole('radio', { name: 'Container image' }).click();
  await page.getByLabel('Container Image').fill(app.image);
  if (app.access !== undefined) {
    await page.getByLabel('Registry account').selectOption({ label: app.access });
  }
  return await deploy(page, app);
}

/** Opens the wizard at the repositories of a connected account. */
export async function openRepositories(page: Page, account: string): Promise<void> {
  await page.getByRole('button', { name: 'Deploy App' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: account }).first().click();
  await page.getByRole('combobox', { name: 'Search repositories' }).waitFor();
}

/** Deploys a repository of a connected account. Ends on the new app's page and returns the app's id. */
export async function deployRepository(page: Page, app: RepositoryApp): Promise<string> {
  await openRepositories(page, app.account);
  await page.getByRole('combobox', { name: 'Search repositories' }).fill(app.repository);
  await page.getByText('1 repository', { exact: true }).waitFor();
  await page.keyboard.press('Enter');
  if (app.isOverHttps) await page.getByRole('radio', { name: 'HTTPS' }).click();
  return await deploy(page, app);
}

async function openForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Deploy App' }).first().click();
  await page.getByRole('button', { name: 'Manual deployment' }).click();
}

async function deploy(page: Page, app: App): Promise<string> {
  await page.getByLabel('Application Name').fill(app.name);
  await page.getByLabel('Port', { exact: true }).fill(String(app.port));
  await fillEnvironment(page, app.env ?? {});
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await page.waitForURL(/\/apps\/[0-9a-f-]{36}$/);
  return page.url().split('/').at(-1) ?? '';
}

/** Changes the value of the variable with this number (from 1) and returns the announced effect. */
export async function changeVariable(page: Page, position: number, value: string): Promise<string> {
  await page.getByRole('button', { name: 'Edit App' }).click();
  await page.getByLabel(`Value ${position}`).fill(value);
  await page.getByText('Changes: 1 variable.').waitFor();
  const effect = (await page.getByRole('dialog').getByRole('status').textContent()) ?? '';
  await page.getByRole('button', { name: 'Save' }).click();
  return effect;
}

async function fillEnvironment(page: Page, env: Record<string, string>): Promise<void> {
  for (const [at, [key, value]] of Object.entries(env).entries()) {
    if (at > 0) await page.getByRole('button', { name: 'Add variable' }).click();
    await page.getByLabel(`Key ${at + 1}`).fill(key);
    await page.getByLabel(`Value ${at + 1}`).fill(value);
  }
}
