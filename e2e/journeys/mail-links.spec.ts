import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { picture, watchErrors } from '../support/browser.ts';
import { newDataDir } from '../support/empty-database.ts';
import { freePort } from '../support/free-port.ts';
import { type Longshore, startLongshore } from '../support/longshore.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const EMAIL = 'ada@example.com';

let folder: TemporaryFolder;
const browser = sharedBrowser();
let longshore: Longshore;

beforeAll(async () => {
  folder = await temporaryFolder();
  longshore = await startLongshore({
    dataDir: await newDataDir(folder.path),
    port: await freePort(),
    ingressPort: await freePort(),
    env: { LONGSHORE_REQUIRE_VERIFIED_EMAIL: 'true' },
  });
});

afterAll(async () => {
  expect(await longshore?.stop()).toBe(0);
  await folder?.remove();
});

/** The links printed to the terminal so far, as without a mail server. */
function links(type: 'emailVerify' | 'passwordReset'): string[] {
  return (longshore.output().match(/http[^\s"]+\/verify\?[^\s"]+/g) ?? []).filter((link) =>
    link.includes(`type=${type}`),
  );
}

async function nextLink(type: 'emailVerify' | 'passwordReset', after: number): Promise<string> {
  await waitFor(async () => links(type).length > after);
  return links(type).at(-1) ?? '';
}

async function signIn(page: Page, password: string): Promise<void> {
  await page.goto(`${longshore.url}/login`);
  await page.getByLabel('Email').fill(EMAIL);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

describe('a user with a mailbox', () => {
  it('signs up, verifies the address and resets a forgotten password', async () => {
    const page = await (await browser.newContext()).newPage();
    const errors = watchErrors(page);

    await page.goto(`${longshore.url}/signup`);
    await page.getByLabel('Email').fill(EMAIL);
    await page.getByLabel('Password', { exact: true }).fill('the first password');
    await page.getByLabel('Confirm Password').fill('the first password');
    await page.getByRole('button', { name: 'Sign Up' }).click();
    await page.getByRole('heading', { name: 'Verify Your Email' }).waitFor();

    await page.goto(await nextLink('emailVerify', 0));
    await page.getByRole('heading', { name: 'Projects', exact: true }).waitFor();
    await page.waitForURL(({ search }) => search === '');
    await page.getByRole('button', { name: 'Sign out' }).click();

    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByRole('button', { name: 'Send Reset Link' }).waitFor();
    await page.getByLabel('Email').fill(EMAIL);
    await page.getByRole('button', { name: 'Send Reset Link' }).click();
    await page.getByText('Password Reset Email Sent').first().waitFor();
    const link = await nextLink('passwordReset', 0);
    await page.goto(link);
    const dialog = page.getByRole('dialog', { name: 'Change Password' });
    await dialog.getByLabel('New Password', { exact: true }).fill('the second password');
    await dialog.getByLabel('Confirm New Password').fill('the second password');
    await picture(page, 'change-password');
    await dialog.getByRole('button', { name: 'Change Password' }).click();
    await page.getByText('Your password has been updated successfully').first().waitFor();
    await picture(page, 'profile');
    await page.getByRole('button', { name: 'Sign out' }).click();

    await signIn(page, 'the second password');
    await page.getByRole('heading', { name: 'Projects', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign In' }).waitFor();
    expect(errors).toEqual([]);

    await page.goto(link);
    await page.getByText('This link has expired or was already used').first().waitFor();
    await picture(page, 'spent-link');
    await page.waitForURL(`${longshore.url}/login`);

    await signIn(page, 'the first password');
    await page.getByText('Incorrect email or password').first().waitFor();
  });
});
