import { ROUTES } from '@longshore/contract';
import type { Page } from 'playwright-core';
import { withMetrics, withoutMetrics } from './sample-metrics.ts';
import type { Screen } from './screen.ts';
import {
  appPath,
  choose,
  press,
  waitForText,
  withFailingQueries,
  withoutResponses,
} from './steps.ts';

export const APPS: Screen[] = [
  {
    name: 'app-ready',
    user: 'owner',
    path: appPath('ready'),
    prepare: withMetrics,
    async open(page) {
      await currentRelease(page);
      await page.getByRole('link', { name: 'Open metrics' }).waitFor();
    },
  },
  {
    name: 'app-metrics',
    user: 'owner',
    path: appPath('ready', 'metrics'),
    prepare: withMetrics,
    async open(page) {
      await page.getByText('of 1 CPU now').waitFor();
      await page.locator('canvas').first().waitFor();
    },
  },
  {
    name: 'app-metrics-week',
    user: 'owner',
    path: appPath('ready', 'metrics'),
    prepare: withMetrics,
    async open(page) {
      await page.getByRole('radio', { name: '7 d' }).click();
      await page.getByLabel(/^CPU in the last 7 days/).focus();
      await page.keyboard.press('End');
      await page.getByRole('figure', { name: 'Memory' }).getByText('Table').click();
    },
  },
  {
    name: 'app-metrics-empty',
    user: 'owner',
    path: appPath('hibernated', 'metrics'),
    prepare: withoutMetrics,
    open: waitForText('The app is hibernated.'),
  },
  { name: 'app-deployments', user: 'owner', path: appPath('ready', 'deployments'), open: releases },
  { name: 'app-logs', user: 'owner', path: appPath('ready', 'logs') },
  {
    name: 'app-domains',
    user: 'owner',
    path: appPath('ready', 'domains'),
    open: waitForText('Always available'),
  },
  {
    name: 'app-settings',
    user: 'owner',
    path: appPath('ready', 'settings'),
    async open(page) {
      await page.getByLabel('CPU and memory').selectOption('1 CPU, 1 GiB');
      await page.getByText('Changes: ').waitFor();
    },
  },
  {
    name: 'app-variables',
    user: 'owner',
    path: appPath('ready', 'variables'),
    async open(page) {
      await page.getByLabel('Value 1').fill('Land in sight');
      await press('Add variable')(page);
      await page.getByLabel('Key 3').fill('LOG_LEVEL');
      await page.getByLabel('Value 3').fill('info');
      await page.getByText('LOG_LEVEL added').waitFor();
    },
  },
  {
    name: 'app-variables-paste',
    user: 'owner',
    path: appPath('ready', 'variables'),
    open: press('Paste .env'),
  },
  {
    name: 'app-loading',
    user: 'owner',
    path: appPath('loading'),
    open: waitForText('waiting for the tide'),
  },
  { name: 'app-failed', user: 'owner', path: appPath('failed'), open: waitForText('Open logs') },
  {
    name: 'app-deployments-failed',
    user: 'owner',
    path: appPath('failed', 'deployments'),
    open: releases,
  },
  {
    name: 'app-hibernated',
    user: 'owner',
    path: appPath('hibernated'),
    open: waitForText('Wake the app to serve requests.'),
  },
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
  {
    name: 'app-traffic',
    user: 'owner',
    path: appPath('ready', 'settings'),
    async open(page) {
      await press('Edit traffic settings')(page);
      await page.getByRole('switch', { name: 'Password protection' }).click();
      for (const row of ['Add redirect', 'Add header']) await press(row)(page);
      await press('Save changes')(page);
      await page.getByText('Username is required').waitFor();
    },
  },
  { name: 'app-delete', user: 'owner', path: appPath('ready'), open: press('Delete') },
  {
    name: 'app-roll-back',
    user: 'owner',
    path: appPath('ready', 'deployments'),
    open: press('Roll back to release 1'),
  },
  {
    name: 'app-build-log',
    user: 'owner',
    path: appPath('ready', 'deployments'),
    open: press('Build log of release 1'),
  },
  {
    name: 'app-compare',
    user: 'owner',
    path: appPath('ready', 'deployments'),
    open: choose('Actions for release 1', 'Compare…'),
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
async function currentRelease(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Current release' }).waitFor();
}

async function releases(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Releases' }).getByRole('listitem').first().waitFor();
}
