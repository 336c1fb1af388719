import { join } from 'node:path';
import { it } from 'vitest';
import { AppPage } from '../pages/app-page.ts';
import { pressAt, tabTo, typeAt } from '../support/keyboard.ts';
import { makeRepository } from '../support/repository.ts';
import { HELLO_APP } from '../support/sample-apps.ts';
import { sharedBrowser } from '../support/shared-browser.ts';
import { plainLongshore } from '../support/shared-longshore.ts';

const browser = sharedBrowser();
const longshore = plainLongshore();

it('a keyboard user signs up, deploys, hibernates, wakes and deletes an app', async () => {
  const url = await makeRepository(join(longshore.folder, 'hello'), HELLO_APP);
  const context = await browser.newContext();
  const page = await context.newPage();
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  await page.goto(`${longshore.url}/login`);
  await pressAt(page, page.getByRole('link', { name: 'Create an account' }));
  await page.getByLabel('Confirm Password').waitFor();
  await typeAt(page, page.getByLabel('Email'), 'ada@example.com');
  await typeAt(page, page.getByLabel('Password', { exact: true }), 'a harbour at night');
  await typeAt(page, page.getByLabel('Confirm Password'), 'a harbour at night');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${longshore.url}/dashboard`);

  await pressAt(page, button('New Project'));
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('Harbour');
  await page.keyboard.press('Enter');
  await pressAt(page, page.getByRole('link', { name: 'Harbour' }));

  await pressAt(page, button('Deploy App'));
  await page.getByRole('dialog').waitFor();
  await pressAt(page, page.getByRole('button', { name: 'Manual deployment' }));
  await typeAt(page, page.getByLabel('Source URL'), url);
  await typeAt(page, page.getByLabel('Application Name'), 'hello');
  await typeAt(page, page.getByLabel('Port', { exact: true }), '3000');
  await pressAt(page, button('Deploy'));
  const app = new AppPage(page);
  await app.shows('Ready');

  await pressAt(page, button('Hibernate'));
  await app.shows('Hibernated');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
  await page.keyboard.type('wake');
  await page.keyboard.press('Enter');
  await app.shows('Ready');

  await pressAt(page, button('Delete'));
  const dialog = page.getByRole('alertdialog');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await tabTo(page, button('Delete'));
  await page.keyboard.press('Enter');
  await pressAt(page, dialog.getByRole('button', { name: 'Delete' }));
  await page.getByText('Deploy your first app').waitFor();
  await page.waitForURL(/\/dashboard\/projects\/[0-9a-f-]{36}$/);
  await context.close();
});
