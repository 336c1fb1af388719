import {
  type AppResource,
  formatStatusMessage,
  parseLogLine,
  progressMessage,
} from '@longshore/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createFakeClient } from '../../../test/fake-client.ts';
import { openConsole } from '../../../test/open-console.tsx';
import { anApp, aProject, aRelease } from '../../../test/resources.ts';

const shop = aProject({ name: 'Shop' });
const HOST = 'shop-0123456789ab.localhost';
const serving = { release: 6, logName: 'app-3f2a91-2', hosts: [HOST] };
const NOW = Date.parse('2025-01-01T00:00:00Z');
const crashed = { status: 'backoff', message: 'The app crashed. Restarting…' };

async function openApp(app: AppResource) {
  const fake = createFakeClient({ resources: [shop, app] });
  fake.environment.now = () => NOW;
  const user = openConsole(`/dashboard/projects/${shop.id}/apps/${app.id}`, fake);
  await screen.findByRole('heading', { level: 1, name: /^shop/ });
  return { fake, user };
}

it.each([
  [
    'a build',
    { status: 'syncing', message: progressMessage('building') },
    undefined,
    'deploying release 7',
  ],
  [
    'a failed build',
    { status: 'backoff', message: 'The build job failed' },
    'failed',
    'release 7 failed',
  ],
] as const)('shows URL and log of the serving release during %s', async (_, row, outcome, text) => {
  const { fake } = await openApp(anApp(row));
  expect(screen.queryByText('Serving at')).toBeNull();
  act(() => {
    fake.observe({ serving });
    fake.showReleases([aRelease({ number: 7, outcome }), aRelease({ number: 6 })]);
  });
  const heading = screen.getByRole('heading', { level: 1 });
  expect(heading.textContent).toContain(`Serving release 6 · ${text}`);
  const card = within(screen.getByRole('region', { name: 'Serving at' }));
  expect(card.getByRole('link', { name: /localhost:8080$/ }).getAttribute('href')).toBe(
    `http://${HOST}:8080`,
  );
  const logs = within(screen.getByRole('region', { name: 'Logs of the serving release' }));
  act(() => {
    fake.print(parseLogLine('[app-3f2a91-build-7]: compiling'));
    fake.print(parseLogLine('[app-3f2a91-3]: line of another instance'));
  });
  expect(logs.getByText('Waiting for the first line…')).toBeTruthy();
  act(() => fake.print(parseLogLine('[app-3f2a91-2]: GET / 200')));
  expect(await logs.findByRole('log', { name: 'Logs of the serving release' })).toBeTruthy();
});

it('shows the specified cards alone once the app is synced', async () => {
  const { fake } = await openApp(anApp({ status: 'syncing' }));
  act(() => fake.observe({ serving }));
  expect(screen.queryByRole('heading', { name: 'Public access' })).toBeNull();
  act(() => fake.showResources([shop, anApp()]));
  expect(await screen.findByRole('heading', { name: 'Public access' })).toBeTruthy();
  expect(screen.queryByText('Serving at')).toBeNull();
  expect(screen.queryByText('Logs of the serving release')).toBeNull();
});

it('shows no URL of a private app, but its log', async () => {
  const { fake } = await openApp(anApp({ status: 'syncing' }));
  act(() => fake.observe({ serving: { ...serving, hosts: [] } }));
  expect(screen.queryByText('Serving at')).toBeNull();
  expect(screen.getByText('Logs of the serving release')).toBeTruthy();
});

it('shows the commit of the failed release, and the evidence without control characters', async () => {
  const evidence = ['\u001b[31mnpm error\u001b[0m code 1', '10 %\r100 %'];
  const message = formatStatusMessage('The build job failed.', 'Fix it.', evidence);
  const { fake } = await openApp(anApp({ status: 'backoff', message }));
  act(() => {
    fake.observe({ serving });
    fake.showReleases([aRelease({ number: 7, outcome: 'failed', revision: '7'.repeat(40) })]);
  });
  const notice = screen.getByRole('alert');
  expect(notice.textContent).toContain('Release 7');
  expect(within(notice).getByText('7777777').title).toBe('7'.repeat(40));
  expect(notice.textContent).toContain('Release 6 keeps serving.');
  expect(notice.querySelector('pre')?.textContent).toBe('npm error code 1\n100 %');
});

it('counts down to the next attempt by the clock of the server, and restarts at once', async () => {
  const app = anApp(crashed);
  const { fake, user } = await openApp(app);
  expect(screen.queryByRole('timer')).toBeNull();
  act(() => fake.observe({ retry: { kind: 'restart', at: '2025-01-01T00:00:10Z' } }));
  expect(screen.getByRole('timer').textContent).toBe('Restarting in 10 s');
  fake.environment.now = () => NOW + 3_000;
  await waitFor(() => expect(screen.getByRole('timer').textContent).toBe('Restarting in 7 s'), {
    timeout: 5_000,
  });
  await user.click(screen.getByRole('button', { name: 'Restart now' }));
  expect(fake.restarts).toEqual([app.id]);
  act(() => fake.observe({ retry: { kind: 'restart', at: '2025-01-01T00:00:03Z' } }));
  expect(screen.getByRole('timer').textContent).toBe('Restarting…');
  expect(screen.queryByRole('button', { name: 'Restart now' })).toBeNull();
});

it('keeps the focus on the content of the page when the restarted app is no longer failing', async () => {
  const app = anApp(crashed);
  const { fake, user } = await openApp(app);
  act(() => fake.observe({ retry: { kind: 'restart', at: '2025-01-01T00:00:10Z' } }));
  await user.click(screen.getByRole('button', { name: 'Restart now' }));
  act(() => fake.showResources([shop, { ...app, status: 'syncing' }]));
  expect(screen.queryByRole('button', { name: 'Restart now' })).toBeNull();
  const logs = screen.getByRole('region', { name: 'Logs' });
  expect(document.activeElement).not.toBe(document.body);
  expect(document.activeElement?.contains(logs)).toBe(true);
  expect(screen.getByRole('main')).not.toBe(document.activeElement);
});

it('retries another failure, and shows why that was refused', async () => {
  const { fake, user } = await openApp(anApp({ ...crashed, message: 'The disk is full.' }));
  act(() => fake.observe({ retry: { kind: 'retry', at: '2025-01-01T00:05:00Z' } }));
  expect(screen.getByRole('timer').textContent).toBe('Retrying in 5 min 00 s');
  fake.failRequests('The app is not waiting to restart');
  await user.click(screen.getByRole('button', { name: 'Retry now' }));
  expect(await screen.findByText('Retry failed')).toBeTruthy();
  expect(screen.getByText('The app is not waiting to restart')).toBeTruthy();
});

it('offers the restart and the URL of the serving release in the command palette', async () => {
  const { fake, user } = await openApp(anApp(crashed));
  act(() => fake.observe({ serving, retry: { kind: 'restart', at: '2025-01-01T00:00:10Z' } }));
  await user.keyboard('{Control>}k{/Control}');
  for (const name of ['Restart shop now', 'Visit shop', 'Copy URL of shop']) {
    expect(await screen.findByRole('option', { name })).toBeTruthy();
  }
});
