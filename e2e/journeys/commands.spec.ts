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
const SECRET = 'open-sesame-please';
const browser = sharedBrowser();
const longshore = plainLongshore();

it('runs a command in the app with live output, cancels another one, and lists both', async () => {
  const ada = await signUp(longshore.url, EMAIL);
  const url = await makeRepository(join(longshore.folder, 'hello'), {
    ...HELLO_APP,
    'report.js': `console.log('token ' + process.env.TOKEN + ' of ' + process.argv[2]);
      process.on('SIGTERM', () => {});
      if (process.argv[3]) setInterval(() => console.log('tick'), 200); else process.exit(3);`,
  });
  const projectId = await ada.createProject('Harbour');
  const change = { env: { TOKEN: SECRET } };
  const id = await ada.deploy({ name: 'hello', url, change }, projectId);
  const page = await (await browser.newContext()).newPage();
  const errors = watchErrors(page);
  await signInAs(page, longshore.url, EMAIL);
  await page.goto(`${longshore.url}${ROUTES.app(projectId, id)}`);
  const app = new AppPage(page);
  await app.shows('Ready');
  await app.openTab('Deployments');
  const card = page.getByRole('region', { name: 'Run a command' });
  const command = card.getByLabel('Command', { exact: true });
  const items = card.getByRole('list', { name: 'Commands' }).getByRole('listitem');

  await command.fill(`node report.js ${SECRET}`);
  await command.press('Enter');
  await items.first().getByText('Failed').waitFor({ timeout: 60_000 });
  await items
    .first()
    .getByText(/^Exit code 3 · /)
    .waitFor();
  // Neither the output nor the list shows the value of a variable.
  await items
    .first()
    .getByText(/^token \[secret\] of \[secret\]$/)
    .waitFor();
  expect(await card.textContent()).not.toContain(SECRET);

  await command.fill('node report.js here forever');
  await command.press('Enter');
  await items.first().getByText('Running').waitFor({ timeout: 60_000 });
  await items.first().getByText('tick').first().waitFor({ timeout: 60_000 });
  await picture(page, 'command-running');
  await card.getByRole('button', { name: 'Cancel command 2' }).click();
  await items.first().getByText('Cancelled').waitFor({ timeout: 60_000 });
  expect(await items.count()).toBe(2);

  await page.setViewportSize({ width: 360, height: 740 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await card.scrollIntoViewIfNeeded();
  await picture(page, 'commands-mobile');
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > 360);
  expect(isWide).toBe(false);
  expect(await requestApp(longshore, { id, name: 'hello' })).toEqual({ status: 200, body: 'Ahoy' });
  expect(errors).toEqual([]);
});
