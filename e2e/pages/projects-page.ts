import type { Page } from 'playwright-core';

/** Creates a project and opens it. */
export async function createProject(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New Project' }).first().click();
  await page.getByLabel('Project name').fill(name);
  await page.getByRole('button', { name: 'Create Project' }).click();
  await page.getByRole('link', { name }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}
