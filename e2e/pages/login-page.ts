import type { Page } from 'playwright-core';
import { PASSWORD } from '../support/account.ts';

/** Signs in a user who signed up over the API. Ends on the dashboard. */
export async function signInAs(page: Page, url: string, email: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL(`${url}/dashboard`);
}
