import { ROUTES } from '@longshore/contract';
import type { Page } from 'playwright-core';
import type { Screen } from './screen.ts';
import { appPath, failing, press, shown, unanswered } from './ways.ts';

export const APPS: Screen[] = [
  { name: 'app-ready', who: 'owner', path: appPath('ready'), open: releases },
  {
    name: 'app-loading',
    who: 'owner',
    path: appPath('loading'),
    open: shown('waiting for the tide'),
  },
  { name: 'app-failed', who: 'owner', path: appPath('failed'), open: releases },
  { name: 'app-hibernated', who: 'owner', path: appPath('hibernated'), open: releases },
  {
    name: 'app-edit',
    who: 'owner',
    path: appPath('ready'),
    async open(page) {
      await press('Edit App')(page);
      await page.getByLabel('Application Name').fill('another-name');
      await page.getByLabel('Port', { exact: true }).fill('8080');
      await page.getByText('Changes: ').waitFor();
    },
  },
  { name: 'app-edit-crowded', who: 'owner', path: appPath('hibernated'), open: press('Edit App') },
  { name: 'app-delete', who: 'owner', path: appPath('ready'), open: press('Delete') },
  {
    name: 'app-roll-back',
    who: 'owner',
    path: appPath('ready'),
    open: press('Roll back to release 1'),
  },
  {
    name: 'app-build-log',
    who: 'owner',
    path: appPath('ready'),
    open: press('Build log of release 1'),
  },
  { name: 'app-missing', who: 'owner', path: ({ projectId }) => ROUTES.app(projectId, 'nowhere') },
  { name: 'app-awaited', who: 'owner', path: appPath('ready'), before: unanswered },
  {
    name: 'app-not-loaded',
    who: 'owner',
    path: appPath('ready'),
    before: failing,
    open: shown('The database is away.'),
  },
];

/** The history comes after the app. */
async function releases(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Releases' }).getByRole('listitem').first().waitFor();
}
