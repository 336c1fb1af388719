import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { watchErrors } from '../support/browser.ts';
import { newDataDir } from '../support/empty-database.ts';
import { freePort } from '../support/free-port.ts';
import {
  type Longshore,
  type LongshoreOptions,
  ROOT,
  runLongshore,
  startLongshore,
} from '../support/longshore.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

const PASSWORD = 'correct horse';

let folder: TemporaryFolder;
let options: LongshoreOptions;
let longshore: Longshore;
const browser = sharedBrowser();
beforeAll(async () => {
  folder = await temporaryFolder();
  options = {
    dataDir: await newDataDir(folder.path),
    port: await freePort(),
    ingressPort: await freePort(),
  };
  longshore = await startLongshore(options);
});
afterAll(async () => {
  await longshore.stop();
  await folder.remove();
});

const operator = (...args: string[]) => {
  const node = join(ROOT, 'node_modules/.bin/node');
  const argv = [node, join(ROOT, 'scripts/operator.mjs'), ...args] as const;
  return runLongshore({ ...options, command: { argv, cwd: ROOT } });
};

async function openSignUp(link: string) {
  const page = await (await browser.newContext()).newPage();
  const errors = watchErrors(page);
  await page.goto(link);
  return { page, errors };
}

it('invites a user, who signs up with the link, and grants the role on the command line', async () => {
  const ada = await openSignUp(`${longshore.url}/signup`);
  await ada.page.getByLabel('Email').fill('ada@example.com');
  await ada.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await ada.page.getByLabel('Confirm Password').fill(PASSWORD);
  await ada.page.getByRole('button', { name: 'Sign Up' }).click();
  await ada.page.getByRole('link', { name: 'Operator' }).click();
  await ada.page.getByLabel('Who may sign up').selectOption('invite');
  await ada.page.getByRole('button', { name: 'Save', exact: true }).click();
  await ada.page.getByText('Sign-up mode saved', { exact: true }).first().waitFor();

  const visitor = await openSignUp(`${longshore.url}/signup`);
  await visitor.page.getByText('You need an invitation to sign up.').waitFor();

  await ada.page.getByRole('button', { name: 'Invite', exact: true }).click();
  await ada.page.getByLabel('Email', { exact: true }).fill('bob@example.com');
  await ada.page.keyboard.press('Enter');
  const link = (await ada.page.getByRole('dialog').locator('code').textContent()) ?? '';
  const bob = await openSignUp(link);
  expect(await bob.page.getByLabel('Email').inputValue()).toBe('bob@example.com');
  await bob.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await bob.page.getByLabel('Confirm Password').fill(PASSWORD);
  await bob.page.getByRole('button', { name: 'Sign Up' }).click();
  await bob.page.getByRole('link', { name: 'Projects' }).waitFor();
  expect(await bob.page.getByRole('link', { name: 'Operator' }).count()).toBe(0);

  // The token is in no log, and in no request but the sign-up.
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get('invitation') ?? '';
  expect(token).toHaveLength(43);
  expect(longshore.output()).not.toContain(token);

  const granted = await operator('bob@example.com');
  expect(granted).toMatchObject({ code: 0, stderr: '' });
  expect(granted.stdout).toContain('bob@example.com is an operator now.');
  await bob.page.reload();
  await bob.page.getByRole('link', { name: 'Operator' }).waitFor();
  for (const { errors } of [ada, bob, visitor]) expect(errors).toEqual([]);
});

it('changes the role while the server is stopped, but not of the last operator', async () => {
  await longshore.stop();
  const revoked = await operator('bob@example.com', '--revoke');
  expect(revoked.stdout).toContain('bob@example.com is no longer an operator.');
  const refused = await operator('ada@example.com', '--revoke');
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain('ada@example.com is the only operator.');
  expect((await operator()).stderr).toContain('Usage: npm run operator');
  longshore = await startLongshore(options);
});
