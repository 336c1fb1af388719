import type { Page } from 'playwright-core';

const PASSWORD = 'a harbour at night';

export async function signUp(page: Page, url: string, email: string): Promise<void> {
  await page.goto(`${url}/signup`);
  await fillSignUp(page, email);
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await page.waitForURL(`${url}/dashboard`);
}

/** Fills the fields that are always required. */
export async function fillSignUp(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm Password').fill(PASSWORD);
}
