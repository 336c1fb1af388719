import { act, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createFakeClient } from '../../../test/fake-client.ts';
import { openConsole } from '../../../test/open-console.tsx';
import { anApp, aProject, aRelease } from '../../../test/resources.ts';
import { APP_TABS, appTabLinks, appTabOf, appTabPath } from './model/app-tabs.ts';

const shop = aProject({ name: 'Shop' });
const app = anApp();
const PATH = `/dashboard/projects/${shop.id}/apps/${app.id}`;

it('finds each tab by its path below that of the app, and no other', () => {
  for (const tab of APP_TABS) {
    expect(appTabOf(appTabPath(app, tab).slice(PATH.length).replace('/', ''))).toBe(tab);
  }
  expect(appTabPath(app, 'overview')).toBe(PATH);
  for (const other of ['overview', 'nowhere', 'logs/1']) expect(appTabOf(other)).toBeUndefined();
});

it.each([
  ['runs', 'syncing', undefined, 'busy'],
  ['failed', 'backoff', 'failed', 'bad'],
  ['is retried', 'backoff', undefined, 'bad'],
  ['is live', 'synced', 'live', undefined],
  ['failed, but the app was rolled back', 'synced', 'failed', undefined],
] as const)('marks Deployments while the last one %s', (_, status, outcome, tone) => {
  const links = appTabLinks(anApp({ status }), [aRelease({ number: 2, outcome }), aRelease()]);
  expect(links.map(({ mark }) => mark?.tone)).toEqual(
    APP_TABS.map((tab) => (tab === 'deployments' ? tone : undefined)),
  );
});

it('opens each tab at its own URL, with the header and the actions of the app', async () => {
  const fake = createFakeClient({ resources: [shop, app] });
  const user = openConsole(PATH, fake);
  const tabs = within(await screen.findByRole('navigation', { name: 'Application' }));
  expect(tabs.getByRole('link', { current: 'page' }).textContent).toBe('Overview');
  for (const [name, path, content] of [
    ['Deployments', '/deployments', 'Releases'],
    ['Logs', '/logs', 'Logs'],
    ['Metrics', '/metrics', 'No metrics yet'],
    ['Variables', '/variables', 'Variables'],
    ['Domains', '/domains', 'Domains'],
    ['Settings', '/settings', 'Danger zone'],
    ['Overview', '', 'Configuration'],
  ] as const) {
    await user.click(tabs.getByRole('link', { name }));
    expect(
      await screen.findByRole(name === 'Metrics' ? 'heading' : 'region', { name: content }),
    ).toBeTruthy();
    expect(window.location.pathname).toBe(PATH + path);
    expect(tabs.getByRole('link', { current: 'page' }).textContent).toBe(name);
    expect(screen.getByRole('heading', { level: 1, name: /^shop/ })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Edit App' })).toBeTruthy();
  }
  act(() => fake.showReleases([aRelease()]));
  expect(document.title).toBe('shop · Longshore');
});

it('shows both signals and the serving release on the overview', async () => {
  const fake = createFakeClient({ resources: [shop, anApp({ status: 'backoff' })] });
  openConsole(PATH, fake);
  await screen.findByRole('region', { name: 'Status' });
  const serving = { release: 6, logName: 'app-3f2a91-2', hosts: [] };
  act(() => {
    fake.observe({ serving });
    fake.showReleases([aRelease({ number: 7, outcome: 'failed' }), aRelease({ number: 6 })]);
  });
  const status = within(screen.getByRole('region', { name: 'Status' }));
  const health = status.getByRole('link', { name: 'Serving release 6' });
  expect(health.getAttribute('href')).toBe(`${PATH}/logs`);
  const deployment = status.getByRole('link', { name: 'Release 7 failed' });
  expect(deployment.getAttribute('href')).toBe(`${PATH}/deployments`);
  const release = within(screen.getByRole('region', { name: 'Serving release' }));
  expect(release.getByText('Release 6')).toBeTruthy();
  expect(release.getByRole('link', { name: /^Commit/ }).getAttribute('href')).toMatch(
    /^https:\/\/github\.com\/acme\/shop\/commit\//,
  );
});

it('has no page at an unknown path below an app', async () => {
  openConsole(`${PATH}/nowhere`, createFakeClient({ resources: [shop, app] }));
  expect(await screen.findByText('This page does not exist.')).toBeTruthy();
});
