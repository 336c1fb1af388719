import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { signInAs } from '../pages/login-page.ts';
import { PASSWORD, signUp } from '../support/account.ts';
import { authenticator } from '../support/authenticator.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { sharedLongshore } from '../support/shared-longshore.ts';
import { plugInSecurityKey } from '../support/virtual-authenticator.ts';

const longshore = sharedLongshore({ LONGSHORE_REQUIRE_VERIFIED_EMAIL: 'false' });
const browser = sharedBrowser();

async function openSecurity(email: string): Promise<Page> {
  await signUp(longshore.url, email);
  const context = await browser.newContext();
  const page = await context.newPage();
  await signInAs(page, longshore.url, email);
  await page.goto(`${longshore.url}/dashboard/user/security`);
  await page.getByText('This browser').waitFor();
  return page;
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
  await page.waitForURL(`${longshore.url}/login`);
}

it('a user adds a passkey and signs in with it alone', async () => {
  const page = await openSecurity('ada@example.com');
  await plugInSecurityKey(page);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByLabel('Name').fill('Signet ring');
  await page.getByRole('dialog').getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('button', { name: 'Remove Signet ring' }).waitFor();
  await page.getByText('Passkey added').first().waitFor();
  await signOut(page);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.waitForURL(`${longshore.url}/dashboard`);
  await page.context().close();
});

it('a user enables an authenticator app and signs in with its code, then with a recovery code', async () => {
  const email = 'grace@example.com';
  const page = await openSecurity(email);
  await page.getByRole('button', { name: 'Set up' }).click();
  const picture = page.getByAltText('QR code for your authenticator app');
  await picture.waitFor();
  const width = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expect.poll(width).toBeGreaterThan(90);
  const app = authenticator((await page.getByRole('dialog').locator('code').textContent()) ?? '');
  await page.getByLabel('Code').fill(app.wrongCode());
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('Invalid code').first().waitFor();
  await page.getByLabel('Code').fill(app.code());
  await page.getByRole('button', { name: 'Turn on' }).click();
  const codes = await saveRecoveryCodes(page, email);
  await page.getByText('10 recovery codes left.').waitFor();
  await signOut(page);

  await enterPassword(page, email);
  await page.getByLabel('Code').fill(app.nextCode());
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL(`${longshore.url}/dashboard`);
  await signOut(page);

  await enterPassword(page, email);
  await page.getByRole('button', { name: 'Lost your device? Enter a recovery code.' }).click();
  await page.getByLabel('Recovery code').fill(codes[0]?.toLowerCase() ?? '');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL(`${longshore.url}/dashboard`);
  await page.goto(`${longshore.url}/dashboard/user/security`);
  await page.getByText('9 recovery codes left.').waitFor();
  await page.getByText('Signed in with a recovery code, 9 left').waitFor();
  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByLabel('Code').fill(codes[1] ?? '');
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('button', { name: 'Set up' }).waitFor();
  await page.context().close();
});

async function enterPassword(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByLabel('Code').waitFor();
}

/** Downloads the codes that the dialog shows, and confirms it. */
async function saveRecoveryCodes(page: Page, email: string): Promise<string[]> {
  const dialog = page.getByRole('dialog', { name: 'Recovery codes' });
  await dialog.waitFor();
  const codes = await dialog.getByRole('listitem').allTextContents();
  expect(codes).toHaveLength(10);
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).click();
  const file = await readFile(await (await downloading).path(), 'utf8');
  expect(file).toContain(email);
  expect(file).toContain(codes.join('\n'));
  await page.keyboard.press('Escape');
  await dialog.getByText('Save the codes and confirm it here first.').waitFor();
  await dialog.getByLabel('I have saved these codes').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  return codes;
}

it('a user creates a token, ends another session and reads the recent activity', async () => {
  const email = 'katherine@example.com';
  const page = await openSecurity(email);
  const otherContext = await browser.newContext();
  await signInAs(await otherContext.newPage(), longshore.url, email);
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByLabel('Name').fill('Nightly backup');
  await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
  const token = await page.getByRole('dialog').locator('code').textContent();
  const response = await fetch(`${longshore.url}/v1/auth/signin/pat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ personalAccessToken: token }),
  });
  expect(response.status).toBe(200);
  await page.getByLabel('I have saved this token').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Revoke Nightly backup' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByText('Signed out everywhere else').first().waitFor();
  const sessions = page.getByRole('region', { name: 'Sessions' });
  await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1);
  await page.reload();
  await page.getByText('Personal access token created').waitFor();
  await otherContext.close();
  await page.context().close();
});
