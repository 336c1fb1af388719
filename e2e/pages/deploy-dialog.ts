import type { Page } from 'playwright-core';

export type GitApp = { name: string; url: string; port: number; env?: Record<string, string> };

/** Deploys from a typed git address; ends on the new app's page and answers the app's id. */
export async function deployFromGit(page: Page, app: GitApp): Promise<string> {
  await page.getByRole('button', { name: 'Deploy App' }).first().click();
  await page.getByRole('button', { name: 'Manual deployment' }).click();
  await page.getByLabel('Source URL').fill(app.url);
  await page.getByLabel('Application Name').fill(app.name);
  await page.getByLabel('Port', { exact: true }).fill(String(app.port));
  await fillEnvironment(page, app.env ?? {});
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await page.waitForURL(/\/apps\/[0-9a-f-]{36}$/);
  return page.url().split('/').at(-1) ?? '';
}

/** Changes the value of the variable that stands at a place, counted from 1. */
export async function changeVariable(page: Page, place: number, value: string): Promise<void> {
  await page.getByRole('button', { name: 'Edit App' }).click();
  await page.getByLabel(`Value ${place}`).fill(value);
  await page.getByRole('button', { name: 'Save' }).click();
}

async function fillEnvironment(page: Page, env: Record<string, string>): Promise<void> {
  for (const [at, [key, value]] of Object.entries(env).entries()) {
    if (at > 0) await page.getByRole('button', { name: 'Add variable' }).click();
    await page.getByLabel(`Key ${at + 1}`).fill(key);
    await page.getByLabel(`Value ${at + 1}`).fill(value);
  }
}
