import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { authError } from '@longshore/contract';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { signInAs } from '../pages/login-page.ts';
import { PASSWORD, signUp } from '../support/account.ts';
import { picture } from '../support/browser.ts';
import { connectNhost3, connectNhost4, NHOST_3, newEmail } from '../support/nhost.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { sharedLongshore } from '../support/shared-longshore.ts';

/** The milliseconds by which the server's clock is ahead. */
const folder = mkdtempSync(join(tmpdir(), 'longshore-clock-'));
const clockFile = join(folder, 'ahead');
const setClockAhead = (minutes: number) => writeFileSync(clockFile, String(minutes * 60_000));
setClockAhead(0);
const preload = pathToFileURL(join(import.meta.dirname, '../support/server-clock.mjs')).href;

// Registered before the hooks of the server, so that it runs after them.
afterAll(() => rm(folder, { recursive: true }));

const longshore = sharedLongshore({
  LONGSHORE_REQUIRE_VERIFIED_EMAIL: 'false',
  NODE_OPTIONS: `--import ${preload}`,
  TEST_CLOCK_FILE: clockFile,
});
const browser = sharedBrowser();
beforeEach(() => setClockAhead(0));

const IN_AN_HOUR = () => new Date(Date.now() + 3_600_000);
const STALE = authError('reauthentication-required');
const NEW_PASSWORD = 'the lamps along the quay';

describe.each(NHOST_3)('%s', (name) => {
  it('makes sensitive changes right after the sign-in, and not ten minutes later', async () => {
    const nhost = connectNhost3(name, longshore.url);
    await nhost.auth.signUp({ email: newEmail(), password: PASSWORD });
    expect((await nhost.auth.changePassword({ newPassword: NEW_PASSWORD })).error).toBeNull();
    expect((await nhost.auth.createPAT(IN_AN_HOUR())).error).toBeNull();
    setClockAhead(11);
    expect((await nhost.auth.createPAT(IN_AN_HOUR())).error).toEqual(STALE);
    expect((await nhost.auth.changePassword({ newPassword: PASSWORD })).error).toEqual(STALE);
    expect((await nhost.auth.changeEmail({ newEmail: newEmail() })).error).toEqual(STALE);
  });
});

it('nhost-js 4 makes sensitive changes right after the sign-in, and not ten minutes later', async () => {
  const { auth } = connectNhost4(longshore.url);
  await auth.signUpEmailPassword({ email: newEmail(), password: PASSWORD });
  const expiresAt = IN_AN_HOUR().toISOString();
  const { personalAccessToken } = (await auth.createPAT({ expiresAt })).body;
  await auth.changeUserPassword({ newPassword: NEW_PASSWORD });
  const script = connectNhost4(longshore.url).auth;
  await script.signInPAT({ personalAccessToken });
  await expect(script.createPAT({ expiresAt })).rejects.toMatchObject({
    status: 403,
    body: authError('forbidden-personal-access-token'),
  });
  setClockAhead(11);
  const refusal = { status: 403, body: STALE };
  await expect(auth.createPAT({ expiresAt })).rejects.toMatchObject(refusal);
  await expect(auth.changeUserPassword({ newPassword: PASSWORD })).rejects.toMatchObject(refusal);
});

it('a user confirms the identity, changes the password and sees the tokens', async () => {
  const email = newEmail();
  await signUp(longshore.url, email);
  const context = await browser.newContext();
  const page = await context.newPage();
  await signInAs(page, longshore.url, email);
  setClockAhead(11);
  await page.goto(`${longshore.url}/dashboard/user/security`);
  await page.getByText('Confirm your identity to see your tokens.').waitFor();
  await page.goto(`${longshore.url}/dashboard/user/profile`);
  await page.getByRole('button', { name: 'Change Password' }).click();
  const confirm = page.getByRole('dialog', { name: "Confirm it's you" });
  await confirm.getByLabel('Password').waitFor();
  await picture(page, 'confirm-identity');
  await confirm.getByLabel('Password').fill('a guess');
  await page.keyboard.press('Enter');
  await confirm.getByText('Incorrect password').waitFor();
  await confirm.getByRole('button', { name: 'Email a code' }).click();
  await confirm.getByRole('button', { name: 'Email a code' }).click();
  await confirm.getByLabel('Code').fill(await longshore.mails.codeTo(email));
  await page.keyboard.press('Enter');
  const change = page.getByRole('dialog', { name: 'Change Password' });
  await change.getByLabel('New Password', { exact: true }).fill(NEW_PASSWORD);
  await change.getByLabel('Confirm New Password').fill(NEW_PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByText('Password changed').first().waitFor();
  await page.goto(`${longshore.url}/dashboard/user/security`);
  await page.getByText('No tokens yet.').waitFor();
  await page.getByText('Identity confirmed').waitFor();
  await context.close();
});
