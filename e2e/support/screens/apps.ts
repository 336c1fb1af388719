import { ROUTES } from '@longshore/contract';
import type { Page } from 'playwright-core';
import type { Screen } from './screen.ts';
import { appPath, press, waitForText, withFailingQueries, withoutResponses } from './steps.ts';

export const APPS: Screen[] = [
  { name: 'app-ready', user: 'owner', path: appPath('ready'), open: releases },
  {
    name: 'app-loading',
    user: 'owner',
    path: appPath('loading'),
    open: waitForText('waiting for the tide'),
  },
  { name: 'app-failed', user: 'owner', path: appPath('failed'), open: releases },
  { name: 'app-hibernated', user: 'owner', path: appPath('hibernated'), open: releases },
  {
    name: 'app-edit',
    user: 'owner',
    path: appPath('ready'),
    async open(page) {
      await press('Edit App')(page);
      await page.getByLabel('Application Name').fill('another-name');
      await page.getByLabel('Port', { exact: true }).fill('8080');
      await page.getByText('Changes: ').waitFor();
    },
  },
  { name: 'app-edit-crowded', user: 'owner', path: appPath('hibernated'), open: press('Edit App') },
  { name: 'app-delete', user: 'owner', path: appPath('ready'), open: press('Delete') },
  {
    name: 'app-roll-back',
    user: 'owner',
    path: appPath('ready'),
    open: press('Roll back to release 1'),
  },
  {
    name: 'app-build-log',
    user: 'owner',
    path: appPath('ready'),
    open: press('Build log of release 1'),
  },
  { name: 'app-missing', user: 'owner', path: ({ projectId }) => ROUTES.app(projectId, 'nowhere') },
  { name: 'app-awaited', user: 'owner', path: appPath('ready'), prepare: withoutResponses },
  {
    name: 'app-not-loaded',
    user: 'owner',
    path: appPath('ready'),
    prepare: withFailingQueries,
    open: waitForText('The database is away.'),
  },
];

/** The releases are loaded after the app. */
async function releases(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Releases' }).getByRole('listitem').first().waitFor();
}
