import { randomUUID } from 'node:crypto';
import { type OpenidHost, startOpenidHost } from '@longshore/server/testing/openid-host';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { authenticator } from '../support/authenticator.ts';
import { picture } from '../support/browser.ts';
import { newEmail, PASSWORD } from '../support/nhost.ts';
import { connectOwnClient, signUpOwnClient } from '../support/own-client.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { sharedLongshore } from '../support/shared-longshore.ts';

const browser = sharedBrowser();
let google: OpenidHost;
const longshore = sharedLongshore(async (url) => {
  google = await startOpenidHost(url);
  return {
    LONGSHORE_REQUIRE_VERIFIED_EMAIL: 'false',
    LONGSHORE_GOOGLE_URL: google.client.url,
    LONGSHORE_GOOGLE_CLIENT_ID: google.client.clientId,
    LONGSHORE_GOOGLE_CLIENT_SECRET: google.client.clientSecret.reveal(),
  };
});
afterAll(() => google?.stop());

/** A user with an authenticator app. Each sign-in takes the next recovery code, because an app has one code per half minute. */
async function userWithApp() {
  const email = newEmail();
  const { account } = await signUpOwnClient(longshore.url, email);
  const totp = await account.generateTotp();
  if (!totp.ok) throw new Error(totp.error.message);
  const app = authenticator(totp.data.totpSecret);
  await account.activateTotp(app.code());
  const recovery = await account.generateRecoveryCodes(app.code());
  if (!recovery.ok) throw new Error(recovery.error.message);
  const codes = [...recovery.data];
  return { email, app, nextCode: () => codes.shift() ?? '' };
}

async function openPage(colorScheme: 'light' | 'dark') {
  const page = await (await browser.newContext({ colorScheme })).newPage();
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  return { page, addresses };
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
  await page.getByRole('button', { name: 'Lost your device? Enter a recovery code.' }).click();
  await page.getByLabel('Recovery code').fill(code);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

it('a mailed code is followed by the code of the app', async () => {
  const { email, app } = await userWithApp();
  const { auth } = connectOwnClient(longshore.url);
  expect(await auth.signInBy({ kind: 'email-otp', email })).toEqual({ kind: 'needs-otp' });
  const otp = await longshore.mails.codeTo(email);
  const firstStep = await auth.signInBy({ kind: 'verify-email-otp', email, otp });
  expect(firstStep).toEqual({ kind: 'needs-mfa' });
  expect(auth.state()).toMatchObject({ kind: 'signed-out', needsMfa: true });
  const secondStep = await auth.signInBy({ kind: 'mfa-totp', otp: app.nextCode() });
  expect(secondStep).toEqual({ kind: 'signed-in' });
});

it('a sign-in link and a provider ask for the code and then open the page', async () => {
  const { email, nextCode } = await userWithApp();
  const { page, addresses } = await openPage('light');
  const target = `${longshore.url}/dashboard/integrations`;
  const { auth } = connectOwnClient(longshore.url);
  await auth.signInBy({ kind: 'passwordless-email', email, options: { redirectTo: target } });
  await page.goto(await longshore.mails.linkTo(email));
  await page.getByLabel('Code').waitFor();
  await page.waitForURL(`${longshore.url}/login`);
  await picture(page, 'second-factor-light');
  await page.setViewportSize({ width: 360, height: 640 });
  await picture(page, 'second-factor-360');
  await enterCode(page, nextCode());
  await page.waitForURL(target);
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
  await page.waitForURL(`${longshore.url}/login`);

  google.behaviour.person = { id: randomUUID(), name: 'Ada', email, isVerified: true };
  await page.goto(`${longshore.url}/v1/auth/signin/provider/google?redirectTo=${target}`);
  await enterCode(page, nextCode());
  await page.waitForURL(target);
  expect(addresses.filter((address) => /[?&](?:refreshToken|code)=/.test(address))).toEqual([
    // The provider's own code.
    expect.stringContaining('/signin/provider/google/callback?'),
  ]);
  await page.context().close();
});

it('a reset link changes the password after the code only', async () => {
  const { email, app, nextCode } = await userWithApp();
  const { page } = await openPage('dark');
  await page.goto(`${longshore.url}/forgot-password`);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send Reset Link' }).click();
  const link = await longshore.mails.linkTo(email);
  await page.goto(link);
  await page.getByLabel('Code').fill(app.wrongCode());
  await picture(page, 'second-factor-dark');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByText('Invalid code. Open the link again to retry.').first().waitFor();
  await picture(page, 'second-factor-wrong-code');
  await page.goto(link);
  await enterCode(page, nextCode());
  const dialog = page.getByRole('dialog', { name: 'Change Password' });
  await dialog.getByLabel('New Password', { exact: true }).fill('the second password');
  await dialog.getByLabel('Confirm New Password').fill('the second password');
  await dialog.getByRole('button', { name: 'Change Password' }).click();
  await page.getByText('Your password has been updated successfully').first().waitFor();

  const { auth } = connectOwnClient(longshore.url);
  expect(await auth.signIn({ email, password: PASSWORD })).toMatchObject({ kind: 'failed' });
  const signIn = await auth.signIn({ email, password: 'the second password' });
  expect(signIn).toEqual({ kind: 'needs-mfa' });
  await page.context().close();
});
