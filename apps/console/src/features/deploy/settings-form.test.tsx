import type { AppValues } from '@longshore/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createFakeClient } from '../../../test/fake-client.ts';
import { openConsole } from '../../../test/open-console.tsx';
import { anApp, aProject, aRelease } from '../../../test/resources.ts';

const shop = aProject({ name: 'Shop' });

async function openSettings(values: Partial<AppValues> = {}) {
  const app = anApp(values);
  const fake = createFakeClient({ resources: [shop, app] });
  const user = openConsole(`/dashboard/projects/${shop.id}/apps/${app.id}/settings`, fake);
  await screen.findByRole('region', { name: 'Danger zone' });
  act(() => fake.showReleases([aRelease()]));
  return { app, fake, user };
}

it('saves in place, and says what that causes before and after', async () => {
  const { app, fake, user } = await openSettings();
  const branch = screen.getByLabelText('Source Ref');
  await user.clear(branch);
  await user.type(branch, 'develop');
  expect(screen.getByText('Changes: ref main → develop.')).toBeTruthy();
  expect(screen.getByText(/^Rebuilds and restarts the app\./)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(await screen.findByText('Saved. The app is being rebuilt and restarted.')).toBeTruthy();
  const source = { ...app.values.source, ref: 'develop' };
  expect(fake.sent).toEqual([{ appId: app.id, values: { ...app.values, source } }]);
});

it.each([
  ['process', false],
  ['kubernetes', true],
] as const)('says beside the size what the engine %s cannot limit: %s', async (engine, isSaid) => {
  const app = anApp();
  const fake = createFakeClient({ resources: [shop, app], engine });
  openConsole(`/dashboard/projects/${shop.id}/apps/${app.id}/settings`, fake);
  const size = await screen.findByRole('combobox', { name: 'CPU and memory' });
  const hint = document.getElementById(size.getAttribute('aria-describedby') ?? '');
  expect(hint?.textContent).toContain('What the app may use at most.');
  expect(hint?.textContent?.includes('On Kubernetes, the number of its processes')).toBe(isSaid);
});

it.each([
  ['process', 0],
  ['docker', 1],
  ['kubernetes', 1],
] as const)(
  'offers the path of a Dockerfile where the engine %s builds one: %i',
  async (engine, count) => {
    const app = anApp();
    const fake = createFakeClient({ resources: [shop, app], engine });
    openConsole(`/dashboard/projects/${shop.id}/apps/${app.id}/settings`, fake);
    await screen.findByLabelText('Root directory');
    expect(screen.queryAllByLabelText('Dockerfile')).toHaveLength(count);
  },
);

it('says when saving restarts nothing', async () => {
  const { fake, user } = await openSettings();
  await user.click(screen.getByRole('switch', { name: 'Sleep when idle' }));
  expect(screen.getByText('No restart needed.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(await screen.findByText('Saved. Nothing restarts.')).toBeTruthy();
  expect(fake.sent[0]?.values.sleep).toEqual({ afterMinutes: 10 });
});

it('changes how the app is built and started', async () => {
  const { fake, user } = await openSettings({ build: { rootDirectory: 'web', target: 'site' } });
  await user.clear(screen.getByLabelText('Root directory'));
  await user.type(screen.getByLabelText('Start command'), 'node a.js');
  const changes = 'root directory web → detected, start command detected → node a.js';
  expect(screen.getByText(`Changes: ${changes}.`)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(fake.sent).toHaveLength(1));
  expect(fake.sent[0]?.values).toMatchObject({
    build: { target: 'site' },
    run: { command: 'node a.js' },
  });
});

it('changes the watch paths, which restarts nothing', async () => {
  const { app, fake, user } = await openSettings({ watchPaths: ['apps/web/**'] });
  const field = screen.getByLabelText<HTMLTextAreaElement>('Watch paths');
  expect(field.value).toBe('apps/web/**');
  await user.type(field, '\n\n packages/ui \n');
  expect(screen.getByText('Changes: watch paths.')).toBeTruthy();
  expect(screen.getByText('No restart needed.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(await screen.findByText('Saved. Nothing restarts.')).toBeTruthy();
  const watchPaths = ['apps/web/**', 'packages/ui'];
  expect(fake.sent).toEqual([{ appId: app.id, values: { ...app.values, watchPaths } }]);
});

it('shows which watch path is wrong', async () => {
  const { fake, user } = await openSettings();
  await user.type(screen.getByLabelText('Watch paths'), 'apps/web\n/etc');
  const problem = '"/etc": Must be a relative path, without / at its start';
  expect(screen.getByText(problem)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(fake.sent).toEqual([]);
});

it.each([
  ['an image', { enabled: false, url: '', ref: '', secretName: '' }],
  ['an upload', { enabled: true, url: `upload:${'a'.repeat(64)}`, ref: 'main', secretName: '' }],
])('has no watch paths for an app from %s', async (_, source) => {
  await openSettings({ source });
  expect(screen.queryByLabelText('Watch paths')).toBeNull();
  expect(screen.getByRole('region', { name: 'Deploy hook' })).toBeTruthy();
});

it('adds a release command, and says that it runs', async () => {
  const { app, fake, user } = await openSettings();
  await user.type(screen.getByLabelText('Release command'), 'npm run migrate');
  expect(screen.getByText('Changes: release command none → npm run migrate.')).toBeTruthy();
  expect(screen.getByText(/The release command runs before traffic moves\.$/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(fake.sent).toHaveLength(1));
  expect(fake.sent[0]?.values).toEqual({
    ...app.values,
    run: { ...app.values.run, releaseCommand: 'npm run migrate' },
  });
});

it('changes how long the app may take to stop, and clears it again', async () => {
  const { fake, user } = await openSettings({
    run: { command: 'node a.js', stopGraceSeconds: 30 },
  });
  const field = screen.getByLabelText<HTMLInputElement>('Seconds to stop');
  expect(field.value).toBe('30');
  await user.clear(field);
  await user.type(field, '301');
  expect(screen.getByText('Must be a whole number of seconds between 1 and 300')).toBeTruthy();
  await user.clear(field);
  await user.type(field, '60');
  expect(screen.getByText('Changes: seconds to stop 30 → 60.')).toBeTruthy();
  await user.clear(field);
  expect(screen.getByText('Changes: seconds to stop 30 → default.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(fake.sent).toHaveLength(1));
  expect(fake.sent[0]?.values.run).toEqual({ command: 'node a.js' });
});

it('sets a health check, and removes it again', async () => {
  const { fake, user } = await openSettings({ healthCheck: { path: '/up', status: 204 } });
  const path = screen.getByLabelText<HTMLInputElement>('Health check path');
  expect(path.value).toBe('/up');
  await user.clear(path);
  expect(screen.getByText('Needs a path')).toBeTruthy();
  await user.type(path, 'up');
  expect(screen.getByText('Must start with /')).toBeTruthy();
  await user.clear(path);
  await user.clear(screen.getByLabelText('Health check status'));
  await user.type(screen.getByLabelText('Failed health checks'), '5');
  expect(
    screen.getByText(
      'Changes: health check path /up → none, health check status 204 → default, failed health checks default → 5.',
    ),
  ).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(fake.sent).toHaveLength(1));
  expect(fake.sent[0]?.values.healthCheck).toEqual({ failureThreshold: 5 });
});

it('changes the size, which restarts the app', async () => {
  const { app, fake, user } = await openSettings();
  await user.selectOptions(screen.getByLabelText('CPU and memory'), '1 CPU, 1 GiB');
  expect(screen.getByText('Changes: size 0.5 CPU, 512 MiB → 1 CPU, 1 GiB.')).toBeTruthy();
  expect(screen.getByText(/^Restarts the app without a rebuild\./)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(await screen.findByText('Saved. The app restarts without a rebuild.')).toBeTruthy();
  expect(fake.sent[0]?.values).toEqual({ ...app.values, resourceTier: 't2' });
});

it('keeps a size that is no longer offered when something else is saved', async () => {
  const { fake, user } = await openSettings({ resourceTier: 'huge' });
  expect(screen.getByLabelText<HTMLSelectElement>('CPU and memory').value).toBe('huge');
  await user.click(screen.getByRole('switch', { name: 'Sleep when idle' }));
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(fake.sent).toHaveLength(1));
  expect(fake.sent[0]?.values.resourceTier).toBe('huge');
});

it('keeps variables, domains and traffic settings', async () => {
  const kept = {
    publicAccess: {
      enabled: true,
      domain: 'shop.example.com',
      baseDomain: 'localhost',
      domains: ['www.example.com'],
    },
    edge: { maintenance: true },
    env: { A: '1', EMPTY: '' },
  };
  const { app, fake, user } = await openSettings(kept);
  const port = screen.getByLabelText('Port');
  await user.clear(port);
  await user.type(port, '8080');
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(fake.sent).toHaveLength(1));
  expect(fake.sent[0]?.values).toEqual({ ...app.values, ports: [{ number: 8080, expose: true }] });
});

it('shows problems at their fields and saves nothing', async () => {
  const { fake, user } = await openSettings();
  await user.clear(screen.getByLabelText('Port'));
  expect(screen.getByText('Port number is required')).toBeTruthy();
  expect(screen.getByText('Fix the highlighted fields.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(fake.sent).toEqual([]);
});

it('says for each group what its changes cause', async () => {
  await openSettings();
  expect(screen.getByText('Changes here rebuild the app')).toBeTruthy();
  // Name and port, and the size.
  expect(screen.getAllByText('Changes here restart the app')).toHaveLength(2);
  expect(screen.getByText('Changes here rebuild or restart the app')).toBeTruthy();
  expect(screen.getAllByText('Changes here restart nothing')).toHaveLength(2);
  expect(screen.getByText('A new name restarts nothing')).toBeTruthy();
});

it('clears the build cache after a confirmation', async () => {
  const { app, fake, user } = await openSettings();
  await user.click(screen.getByRole('button', { name: 'Clear build cache' }));
  const question = await screen.findByRole('alertdialog', { name: 'Clear the build cache?' });
  expect(fake.clearedCaches).toEqual([]);
  await user.click(within(question).getByRole('button', { name: 'Clear build cache' }));
  expect(await screen.findByText('The next build starts without a cache')).toBeTruthy();
  expect(fake.clearedCaches).toEqual([app.id]);
});

it('deletes the app after a confirmation', async () => {
  const { user } = await openSettings();
  await user.click(screen.getByRole('button', { name: 'Delete app' }));
  expect(await screen.findByRole('alertdialog', { name: 'Delete shop?' })).toBeTruthy();
});

it('jumps to a section, which gets the focus', async () => {
  const { user } = await openSettings();
  Element.prototype.scrollIntoView = () => undefined;
  const sections = within(screen.getByRole('navigation', { name: 'Sections' }));
  const names = sections.getAllByRole('button').map(({ textContent }) => textContent);
  expect(names).toEqual(expect.arrayContaining(['Source', 'Build and start', 'Danger zone']));
  await user.click(sections.getByRole('button', { name: 'Build and start' }));
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Build and start' }));
});

it('adds a process and sets the number of one of the Procfile', async () => {
  const { fake, user } = await openSettings();
  act(() =>
    fake.showReleases([
      aRelease({ detected: { summary: 'Node', processes: { worker: 'node worker.js' } } }),
    ]),
  );
  const worker = within(await screen.findByRole('group', { name: 'Process worker' }));
  expect(worker.getByPlaceholderText('node worker.js')).toBeTruthy();
  await user.clear(worker.getByLabelText('Instances'));
  await user.type(worker.getByLabelText('Instances'), '2');
  await user.click(screen.getByRole('button', { name: 'Add process' }));
  await user.keyboard('clock');
  const clock = within(screen.getByRole('group', { name: 'Process clock' }));
  await user.type(clock.getByLabelText('Command'), 'node clock.js');
  expect(screen.getByText('Changes: processes.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(fake.sent).toHaveLength(1));
  expect(fake.sent[0]?.values.processes).toEqual({
    worker: { replicas: 2 },
    clock: { command: 'node clock.js' },
  });
});

it('refuses sleep when idle for an app with other processes, and says why', async () => {
  const { fake, user } = await openSettings({ processes: { worker: { command: 'x' } } });
  await user.click(screen.getByRole('switch', { name: 'Sleep when idle' }));
  expect(screen.getByText(/^Not available for an app with the process worker:/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(fake.sent).toEqual([]);
});

it('refuses a process for an app that sleeps when idle', async () => {
  const { fake, user } = await openSettings({ sleep: { afterMinutes: 5 } });
  await user.click(screen.getByRole('button', { name: 'Add process' }));
  await user.keyboard('worker');
  expect(screen.getByText(/^Not available for an app with the process worker:/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(fake.sent).toEqual([]);
});
