import {
  type AppResource,
  formatStatusMessage,
  parseLogLine,
  progressMessage,
} from '@longshore/contract';
import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { createFakeClient } from '../../../test/fake-client.ts';
import { openConsole } from '../../../test/open-console.tsx';
import { anApp, aProject, aRelease } from '../../../test/resources.ts';

const shop = aProject({ name: 'Shop' });

function openApp(app: AppResource) {
  const fake = createFakeClient({ resources: [shop, app] });
  const user = openConsole(`/dashboard/projects/${shop.id}/apps/${app.id}`, fake);
  return { fake, user };
}

describe('the app page', () => {
  it('of a ready app shows its URL and streams its logs', async () => {
    const { fake } = openApp(anApp());
    expect(await screen.findByText('Ready')).toBeTruthy();
    const [address] = screen.getAllByRole('link', { name: /localhost:8080/ });
    expect(address?.getAttribute('href')).toMatch(/^http:\/\/shop-[0-9a-f]{12}\.localhost:8080$/);
    expect(screen.getByText('Waiting for the first line…')).toBeTruthy();
    expect(fake.openStreams()).toBe(1);
  });

  it('of a syncing app shows banner and phase, and disables Hibernate and Edit', async () => {
    const { user } = openApp(anApp({ status: 'syncing', message: progressMessage('building') }));
    expect(await screen.findByText('Application is currently updating')).toBeTruthy();
    expect(screen.getByText('Loading')).toBeTruthy();
    expect(screen.getByText('Building').closest('li')?.getAttribute('aria-current')).toBe('step');
    for (const name of ['Hibernate', 'Edit App']) {
      expect(screen.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true');
    }
    await user.click(screen.getByRole('button', { name: 'Edit App' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByText('Logs appear here when the deployment is done.')).toBeTruthy();
  });

  it('of a failed app shows the headline, the next step and the evidence', async () => {
    const message = formatStatusMessage('The app exited', 'Check the logs.', ['Error: no express']);
    const { user } = openApp(anApp({ status: 'backoff', message }));
    expect(await screen.findByText('The app exited')).toBeTruthy();
    expect(screen.getByText('Check the logs.').tagName).toBe('P');
    expect(screen.getByText('Error: no express')).toBeTruthy();
    expect(screen.queryByRole('heading', { name: 'Public access' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Open logs' }));
    const logs = screen.getByRole('region', { name: 'Logs' });
    expect(document.activeElement?.contains(logs)).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Change settings' }));
    expect(await screen.findByRole('dialog', { name: 'Edit App' })).toBeTruthy();
  });

  it('whose first deployment was cancelled shows that without an alarm', async () => {
    const message = formatStatusMessage('The deployment was cancelled.', 'Redeploy it.', []);
    const { fake } = openApp(anApp({ status: 'backoff', message }));
    await screen.findByText('The deployment was cancelled.');
    const failed = aRelease({ outcome: 'failed' });
    act(() => fake.showReleases([aRelease({ number: 2, outcome: 'cancelled' }), failed]));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getByText('Release 2')).toBeTruthy();
  });

  it('of a failed app disables Change settings exactly while Edit App is disabled', async () => {
    const { fake, user } = openApp(anApp({ status: 'backoff', message: 'The app exited' }));
    const finish = fake.holdMutations();
    await user.click(await screen.findByRole('button', { name: 'Hibernate' }));
    for (const name of ['Edit App', 'Change settings']) {
      const button = screen.getByRole('button', { name });
      expect(button.getAttribute('aria-disabled')).toBe('true');
      await user.click(button);
      expect(screen.queryByRole('dialog')).toBeNull();
    }
    fake.failRequests('Not now');
    finish();
    await screen.findByText('Failed to hibernate/wake application');
    await user.click(screen.getByRole('button', { name: 'Change settings' }));
    expect(await screen.findByRole('dialog', { name: 'Edit App' })).toBeTruthy();
  });

  it.each([
    ['Back-off pulling image "nope"', 'Failed to pull image, does it exist?'],
    ['The build job failed', 'Failed to build from source, check logs for details'],
  ])('rewords the failure %s', async (message, shown) => {
    openApp(anApp({ status: 'backoff', message }));
    expect(await screen.findByText(shown)).toBeTruthy();
  });

  it('hibernates, shows the reason for waiting, and clears it when the server starts', async () => {
    const app = anApp();
    const { fake, user } = openApp(app);
    await user.click(await screen.findByRole('button', { name: 'Hibernate' }));
    expect(fake.sent).toEqual([{ appId: app.id, values: { ...app.values, instances: 0 } }]);
    expect(screen.getAllByText('Processing request...').length).toBeGreaterThan(0);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Hibernate' }));
    act(() => fake.showResources([shop, anApp({ status: 'syncing', instances: 0 })]));
    expect(screen.queryByText('Processing request...')).toBeNull();
    act(() => fake.showResources([shop, anApp({ instances: 0 })]));
    expect(screen.getAllByText('Hibernated')[0]?.dataset.status).toBe('Hibernated');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Wake' }));
    expect(screen.getByRole('button', { name: 'Wake' }).getAttribute('aria-disabled')).toBeNull();
    expect(fake.openStreams()).toBe(0);
  });

  it('reports a failed hibernation and allows a retry', async () => {
    const { fake, user } = openApp(anApp());
    fake.failRequests('The server refused');
    await user.click(await screen.findByRole('button', { name: 'Hibernate' }));
    expect(await screen.findByText('Failed to hibernate/wake application')).toBeTruthy();
    expect(
      screen.getByRole('button', { name: 'Hibernate' }).getAttribute('aria-disabled'),
    ).toBeNull();
  });

  it('deletes after confirmation and returns to the project', async () => {
    const { user } = openApp(anApp());
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    expect(await screen.findByRole('alertdialog', { name: 'Delete shop?' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(window.location.pathname).toBe(`/dashboard/projects/${shop.id}`));
    expect(await screen.findByText('Deploy your first app')).toBeTruthy();
  });

  it('of a deleted app is replaced in the browser history', async () => {
    const { user } = openApp(anApp());
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    const pages = window.history.length;
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await screen.findByText('Deploy your first app');
    expect(window.history.length).toBe(pages);
  });

  /** The deletion is pending until `finish` is called. */
  async function deleteAndClose() {
    const { fake, user } = openApp(anApp());
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    const finish = fake.holdMutations();
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    return { fake, user, finish };
  }

  it('disables Hibernate and Edit while the app is being deleted', async () => {
    const { fake, finish } = await deleteAndClose();
    for (const name of ['Hibernate', 'Edit App']) {
      expect(screen.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true');
    }
    expect(screen.getByText('Processing request...')).toBeTruthy();
    fake.failRequests('Not now');
    finish();
    await screen.findByText('Error deleting application');
    expect(screen.queryByText('Processing request...')).toBeNull();
  });

  it('does not navigate if the user left while the app was being deleted', async () => {
    const { user, finish } = await deleteAndClose();
    await user.click(screen.getByRole('link', { name: 'Integrations' }));
    await screen.findByRole('heading', { name: 'External Integrations' });
    await act(async () => finish());
    expect(window.location.pathname).toBe('/dashboard/integrations');
  });

  it('stays open and reports a failed deletion', async () => {
    const { fake, user } = openApp(anApp());
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    fake.failRequests('Not now');
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Error deleting application')).toBeTruthy();
    expect(screen.getByText('Not now')).toBeTruthy();
    expect(await screen.findByRole('heading', { name: /^shop/ })).toBeTruthy();
  });

  it('of an unknown app shows Application not found', async () => {
    openConsole(
      `/dashboard/projects/${shop.id}/apps/nowhere`,
      createFakeClient({ resources: [shop] }),
    );
    expect(await screen.findByRole('heading', { name: 'Application not found' })).toBeTruthy();
    expect(document.title).toBe('Application not found · Longshore');
    expect(screen.getByRole('link', { name: 'Back to project' })).toBeTruthy();
  });

  it('of an unknown project links back to the projects', async () => {
    openConsole('/dashboard/projects/nowhere/apps/no', createFakeClient({ resources: [shop] }));
    const back = await screen.findByRole('link', { name: 'Back to projects' });
    expect(back.getAttribute('href')).toBe('/dashboard/projects');
  });

  it('measures the deployment with the clock of the server', async () => {
    const fake = createFakeClient({ resources: [shop, anApp({ status: 'syncing' })] });
    fake.environment.now = () => new Date('2025-01-01T00:03:05Z').getTime();
    openConsole(`/dashboard/projects/${shop.id}/apps/${anApp().id}`, fake);
    expect(await screen.findByText('3 min 05 s')).toBeTruthy();
  });

  it('shows elapsed and usual time of the deployment', async () => {
    const { fake } = openApp(anApp({ status: 'syncing', message: progressMessage('building') }));
    fake.environment.now = () => Date.parse('2025-01-01T00:10:07Z');
    await screen.findByText('Building');
    const inProgress = { number: 2, outcome: undefined, endedAt: undefined };
    act(() =>
      fake.showReleases([
        aRelease({ ...inProgress, startedAt: '2025-01-01T00:10:00Z' }),
        aRelease({ number: 1 }),
      ]),
    );
    expect(await screen.findByText('usually 42 s')).toBeTruthy();
    expect(await screen.findByText('7 s')).toBeTruthy();
  });

  it('copies the address in browsers without the clipboard API', async () => {
    const { user } = openApp(anApp());
    const button = await screen.findByRole('button', { name: 'Copy URL' });
    Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
    const copied: string[] = [];
    document.execCommand = () => copied.push(selectedText()) > 0;
    await user.click(button);
    expect(copied).toEqual([expect.stringMatching(/^http:\/\/shop-/)]);
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy();
  });

  it('of an app with a custom domain shows the DNS record', async () => {
    const publicAccess = { enabled: true, domain: 'shop.example.com', baseDomain: 'localhost' };
    const fake = createFakeClient({ resources: [shop, anApp({ publicAccess })] });
    openConsole(`/dashboard/projects/${shop.id}/apps/${anApp().id}`, fake);
    expect(await screen.findByText(/up to 24 hours/)).toBeTruthy();
    for (const part of ['A', 'shop.example.com', '203.0.113.7', 'Auto']) {
      expect(screen.getByText(part)).toBeTruthy();
    }
    const hrefs = ['Open in a new tab', 'Open generated URL in a new tab'].map((name) =>
      screen.getByRole('link', { name }).getAttribute('href'),
    );
    expect(hrefs).toEqual([
      'http://shop.example.com:8080',
      expect.stringMatching(/^http:\/\/shop-[0-9a-f]{12}\.localhost:8080$/),
    ]);
    expect(screen.getByRole('button', { name: 'Copy generated URL' })).toBeTruthy();
  });

  it('shows log filters once both kinds of lines exist', async () => {
    const { fake } = openApp(anApp());
    await screen.findByText('Waiting for the first line…');
    act(() => fake.print(parseLogLine('[app-3f2a91-1]: Listening on 3000')));
    await screen.findByRole('log', { name: 'Logs' });
    expect(screen.queryByRole('radio', { name: 'Build' })).toBeNull();
    act(() => fake.print(parseLogLine('[app-3f2a91-build-1]: npm ci')));
    expect(await screen.findByRole('radio', { name: 'Build' })).toBeTruthy();
  });

  it('shows why the logs cannot be loaded', async () => {
    const { fake } = openApp(anApp());
    await screen.findByText('Waiting for the first line…');
    act(() => fake.failStreams('Failed to fetch logs: 500'));
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to fetch logs: 500');
  });

  it('shows an authentication error when there is no token for the logs', async () => {
    const { fake } = openApp(anApp());
    await screen.findByText('Waiting for the first line…');
    act(() => fake.failStreams('No access token available'));
    expect(await screen.findByText('Authentication Error')).toBeTruthy();
  });
});

function selectedText(): string {
  const field = document.activeElement as HTMLTextAreaElement;
  return field.value.slice(field.selectionStart, field.selectionEnd);
}
