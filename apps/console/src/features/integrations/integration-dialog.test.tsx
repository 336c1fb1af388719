import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { createFakeClient } from '../../../test/fake-client.ts';
import { openConsole } from '../../../test/open-console.tsx';
import { anIntegration } from '../../../test/resources.ts';

async function openDialog(tab: 'Code hosting' | 'Container registry') {
  const fake = createFakeClient({ resources: [] });
  const user = openConsole('/dashboard/integrations', fake);
  await user.click(await screen.findByRole('button', { name: 'Add New Integration' }));
  await user.click(await screen.findByRole('tab', { name: tab }));
  return { fake, user };
}

describe('connecting a code host', () => {
  it('redirects to the provider if OAuth is configured', async () => {
    const assign = vi.spyOn(window.location, 'assign').mockReturnValue();
    const { fake, user } = await openDialog('Code hosting');
    await user.click(screen.getByRole('button', { name: 'Continue with GitLab' }));
    await user.click(screen.getByRole('button', { name: 'Continue with GitLab' }));
    expect(fake.connect.oauthTickets).toEqual(['gitlab']);
    expect(assign.mock.calls).toEqual([['https://console.test/oauth/gitlab']]);
  });

  it('stays on the page and shows the reason when OAuth cannot be started', async () => {
    const assign = vi.spyOn(window.location, 'assign').mockReturnValue();
    const { fake, user } = await openDialog('Code hosting');
    fake.connect.failRequests('');
    await user.click(screen.getByRole('button', { name: 'Continue with GitLab' }));
    expect((await screen.findByRole('alert')).textContent).toMatch(/could not be reached/);
    expect(assign).not.toHaveBeenCalled();
  });

  it('shows what the operator has to configure, and accepts a token instead', async () => {
    const { fake, user } = await openDialog('Code hosting');
    await user.click(screen.getByRole('radio', { name: 'GitHub' }));
    expect(screen.getByText('LONGSHORE_GITHUB_CLIENT_ID')).toBeTruthy();
    expect(screen.getByText('/v1/connect/oauth/public/github/callback')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Connect' }));
    expect(screen.getByText('Please enter a token')).toBeTruthy();
    await user.type(screen.getByLabelText('Personal access token'), 'tok');
    await user.click(screen.getByRole('button', { name: 'Connect' }));
    expect(await screen.findByText('GitHub connected')).toBeTruthy();
    expect(fake.connect.tokens).toEqual([{ provider: 'github', token: 'tok' }]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('accepts a token even if OAuth is configured', async () => {
    const { fake, user } = await openDialog('Code hosting');
    await user.click(screen.getByRole('button', { name: 'Use a token instead' }));
    const address = screen.getByLabelText('Server URL');
    await user.clear(address);
    await user.type(address, 'https://git.home');
    await user.type(screen.getByLabelText('Personal access token'), 'tok{Enter}');
    await waitFor(() =>
      expect(fake.connect.tokens).toEqual([
        { provider: 'gitlab', url: 'https://git.home', token: 'tok' },
      ]),
    );
  });

  it('needs the URL of a Gitea or Forgejo server', async () => {
    const { fake, user } = await openDialog('Code hosting');
    await user.click(screen.getByRole('radio', { name: 'Gitea / Forgejo' }));
    await user.type(screen.getByLabelText('Personal access token'), 'tok{Enter}');
    expect(screen.getByText('Please enter the server URL')).toBeTruthy();
    expect(fake.connect.tokens).toEqual([]);
  });

  it('keeps the fields when the provider rejects the token', async () => {
    const { fake, user } = await openDialog('Code hosting');
    fake.connect.failRequests('The token is not valid');
    await user.click(screen.getByRole('radio', { name: 'GitHub' }));
    await user.type(screen.getByLabelText('Personal access token'), 'tok{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('The token is not valid');
    expect(screen.getByLabelText<HTMLInputElement>('Personal access token').value).toBe('tok');
  });
});

describe('connecting a registry', () => {
  it.each([
    ['', 'secret'],
    ['ada', ''],
  ])(
    'with the username %j and the password %j shows that both are required',
    async (username, password) => {
      const { fake, user } = await openDialog('Container registry');
      if (username) await user.type(screen.getByLabelText('Username'), username);
      if (password) await user.type(screen.getByLabelText('Password or access token'), password);
      await user.click(screen.getByRole('button', { name: 'Connect' }));
      expect(screen.getByText('Please enter both username and password')).toBeTruthy();
      expect(fake.connect.registries).toEqual([]);
    },
  );

  it('connects Docker Hub', async () => {
    const { fake, user } = await openDialog('Container registry');
    await user.type(screen.getByLabelText('Username'), 'ada');
    await user.type(screen.getByLabelText('Password or access token'), ' pass ');
    await user.click(screen.getByRole('button', { name: 'Connect' }));
    expect(await screen.findByText('Docker Hub connected')).toBeTruthy();
    expect(fake.connect.registries).toEqual([{ username: 'ada', password: ' pass ' }]);
  });

  it('connects any registry by its host', async () => {
    const { fake, user } = await openDialog('Container registry');
    await user.click(screen.getByRole('radio', { name: 'Other registry' }));
    await user.type(screen.getByLabelText('Username'), 'ada');
    await user.type(screen.getByLabelText('Password or access token'), 'pass{Enter}');
    expect(screen.getByText('Please enter the registry host')).toBeTruthy();
    await user.type(screen.getByLabelText('Registry host'), 'registry:5000{Enter}');
    expect(await screen.findByText('registry:5000 connected')).toBeTruthy();
    expect(fake.connect.registries).toEqual([
      { host: 'registry:5000', username: 'ada', password: 'pass' },
    ]);
  });

  it.each([
    ['Too many attempts', 'Too many attempts'],
    ['', 'Authentication failed. Please check your credentials.'],
  ])('that fails with %j shows “%s”', async (message, text) => {
    const { fake, user } = await openDialog('Container registry');
    fake.connect.failRequests(message);
    await user.type(screen.getByLabelText('Username'), 'ada');
    await user.type(screen.getByLabelText('Password or access token'), 'pass{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe(text);
  });
});

describe('reconnecting', () => {
  it('pre-fills the form of the code host', async () => {
    const expired = anIntegration({ provider: 'gitea', host: 'git.home', state: 'reconnect' });
    const fake = createFakeClient({ resources: [expired] });
    const user = openConsole('/dashboard/integrations', fake);
    await user.click(await screen.findByRole('button', { name: 'Reconnect acme' }));
    expect(screen.getByLabelText<HTMLInputElement>('Server URL').value).toBe('https://git.home');
    await user.type(screen.getByLabelText('Personal access token'), 'new{Enter}');
    await waitFor(() =>
      expect(fake.connect.tokens).toEqual([
        { provider: 'gitea', url: 'https://git.home', token: 'new' },
      ]),
    );
  });

  it('pre-fills the form of the registry', async () => {
    const expired = anIntegration({
      provider: 'registry',
      type: 'docker',
      host: 'registry:5000',
      state: 'reconnect',
    });
    const user = openConsole('/dashboard/integrations', createFakeClient({ resources: [expired] }));
    await user.click(await screen.findByRole('button', { name: 'Reconnect acme' }));
    expect(screen.getByLabelText<HTMLInputElement>('Registry host').value).toBe('registry:5000');
    expect(screen.getByLabelText<HTMLInputElement>('Username').value).toBe('acme');
  });
});
