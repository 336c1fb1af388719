import { join } from 'node:path';
import { ROUTES } from '@longshore/contract';
import { expect, it } from 'vitest';
import { AppPage } from '../pages/app-page.ts';
import { signInAs } from '../pages/login-page.ts';
import { signUp } from '../support/account.ts';
import { picture, watchErrors } from '../support/browser.ts';
import { makeRepository } from '../support/repository.ts';
import { requestApp } from '../support/request-app.ts';
import { HELLO_APP } from '../support/sample-apps.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { plainLongshore } from '../support/shared-longshore.ts';

const EMAIL = 'ada@example.com';
const browser = sharedBrowser();
const longshore = plainLongshore();

it('runs a release command before traffic moves, shows why one fails, and keeps the old release', async () => {
  const ada = await signUp(longshore.url, EMAIL);
  const url = await makeRepository(join(longshore.folder, 'hello'), {
    ...HELLO_APP,
    'migrate.js': `const table = process.env.TABLE;
      console.log(table ? 'migrated ' + table : 'which table?');
      process.exit(table ? 0 : 3);`,
  });
  const projectId = await ada.createProject('Harbour');
  const change = { run: { releaseCommand: 'node migrate.js' }, env: { TABLE: 'users' } };
  const id = await ada.deploy({ name: 'hello', url, change }, projectId);
  const page = await (await browser.newContext()).newPage();
  const errors = watchErrors(page);
  await signInAs(page, longshore.url, EMAIL);
  await page.goto(`${longshore.url}${ROUTES.app(projectId, id)}`);
  const app = new AppPage(page);
  await app.shows('Ready');
  const served = () => requestApp(longshore, { id, name: 'hello' });
  expect(await served()).toEqual({ status: 200, body: 'Ahoy' });

  await app.openTab('Deployments');
  const releases = page.getByRole('region', { name: 'Releases' }).getByRole('listitem');
  await page.getByRole('button', { name: 'Build log of release 1' }).click();
  const log = releases.filter({ hasText: '#1' }).first();
  await log.getByText('$ node migrate.js').waitFor();
  // The value of a variable is masked in every log.
  await log.getByText(/^migrated /).waitFor();
  await picture(page, 'release-command-log');

  await app.openTab('Settings');
  const field = page.getByLabel('Release command');
  expect(await field.inputValue()).toBe('node migrate.js');
  await field.fill('TABLE= node migrate.js');
  await page
    .getByText('Changes: release command node migrate.js → TABLE= node migrate.js.')
    .waitFor();
  await page.getByText('The release command runs before traffic moves.').waitFor();
  await picture(page, 'release-command-settings');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved. The app restarts without a rebuild.').waitFor();
  await app.openTab('Overview');
  await page.getByText('The release command failed.').first().waitFor({ timeout: 60_000 });
  await page
    .getByText(/^Exit code 3\.\nwhich table\?$/)
    .first()
    .waitFor();
  await page.getByText('Serving release 1 · release 2 failed').waitFor();
  await picture(page, 'release-command-failed');
  expect(await served()).toEqual({ status: 200, body: 'Ahoy' });

  await app.openTab('Settings');
  await field.fill('');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved. The app restarts without a rebuild.').waitFor();
  await app.shows('Ready');
  expect((await ada.app(id)).values.run).toBeUndefined();
  expect(errors).toEqual([]);
});
