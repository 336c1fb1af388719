import { join } from 'node:path';
import { ROUTES } from '@longshore/contract';
import { expect, it } from 'vitest';
import { AppPage } from '../pages/app-page.ts';
import { signInAs } from '../pages/login-page.ts';
import { signUp } from '../support/account.ts';
import { programsOf } from '../support/app-processes.ts';
import { picture, watchErrors } from '../support/browser.ts';
import { makeRepository } from '../support/repository.ts';
import { requestApp } from '../support/request-app.ts';
import { HELLO_APP } from '../support/sample-apps.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { plainLongshore } from '../support/shared-longshore.ts';

const EMAIL = 'ada@example.com';
const PHONE = { width: 360, height: 800 };
const browser = sharedBrowser();
const longshore = plainLongshore();

it('runs the worker of a Procfile beside web, scales it, and hibernates all processes', async () => {
  const ada = await signUp(longshore.url, EMAIL);
  const url = await makeRepository(join(longshore.folder, 'hello'), {
    ...HELLO_APP,
    Procfile: 'web: node server.js\nworker: node worker.js\n',
    'worker.js': `console.log('hauling since ' + Date.now(), process.env.PORT);
      setInterval(() => {}, 1000);`,
  });
  const projectId = await ada.createProject('Harbour');
  const id = await ada.deploy({ name: 'hello', url }, projectId);
  const page = await (await browser.newContext()).newPage();
  const errors = watchErrors(page);
  await signInAs(page, longshore.url, EMAIL);
  await page.goto(`${longshore.url}${ROUTES.app(projectId, id)}`);
  const app = new AppPage(page);
  await app.shows('Ready');
  const processes = page.getByRole('region', { name: 'Processes' });
  const worker = processes.getByRole('listitem').filter({ hasText: 'worker' });
  await worker.getByText('1 of 1 running').waitFor();
  await worker.getByText('node worker.js').waitFor();
  await picture(page, 'processes-on-overview');
  expect(await requestApp(longshore, { id, name: 'hello' })).toEqual({ status: 200, body: 'Ahoy' });

  await app.openTab('Logs');
  await page.getByText(/^hauling since \d+ undefined$/).waitFor();
  await page
    .getByText(/^worker\.\d+$/)
    .first()
    .waitFor();
  await picture(page, 'processes-in-logs');

  await app.openTab('Settings');
  const fields = page.getByRole('group', { name: 'Process worker' });
  await fields.getByLabel('Instances').fill('2');
  await page.getByText('Changes: processes.').waitFor();
  await page.getByText('Starts or stops instances. Nothing restarts').waitFor();
  await fields.scrollIntoViewIfNeeded();
  await picture(page, 'processes-in-settings');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize(PHONE);
  await fields.scrollIntoViewIfNeeded();
  await picture(page, 'processes-in-settings-phone-dark');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved. Instances start or stop, nothing restarts.').waitFor();

  await page.getByRole('switch', { name: 'Sleep when idle' }).click();
  await page.getByText(/^Not available for an app with the process worker:/).waitFor();
  await picture(page, 'processes-refuse-sleep');
  await page.getByRole('button', { name: 'Discard' }).click();

  await app.openTab('Overview');
  await worker.getByText('2 of 2 running').waitFor();
  await picture(page, 'processes-scaled');
  expect(await programsOf(id)).not.toEqual([]);

  await page.getByRole('button', { name: 'Hibernate' }).first().click();
  await app.shows('Hibernated');
  await worker.getByText('Hibernated').waitFor();
  await picture(page, 'processes-hibernated');
  expect(await programsOf(id)).toEqual([]);
  expect(errors).toEqual([]);
});
