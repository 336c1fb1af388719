import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { createFakeClient, type FakeClient } from '../../../test/fake-client.ts';
import { openConsole } from '../../../test/open-console.tsx';
import { anApp, anIntegration, aProject, aRepository } from '../../../test/resources.ts';

const shop = aProject({ name: 'Shop' });
const gitlab = anIntegration({ host: 'gitlab.com' });
const registry = anIntegration({
  id: 'r1',
  provider: 'registry',
  type: 'docker',
  account_name: 'ada',
  host: 'registry:5000',
});
const repositories = ['acme/shop', 'acme/web/blog', 'ada/notes'].map((full_name) =>
  aRepository({ full_name, isPrivate: full_name !== 'ada/notes' }),
);
const commit = 'c'.repeat(40);

function aBackend() {
  const fake = createFakeClient({ resources: [shop, gitlab, registry] });
  fake.connect.set({
    repositories,
    branches: [
      { name: 'dev', isDefault: false, commit },
      { name: 'main', isDefault: true, commit },
    ],
    tags: [{ name: 'v1.0', commit }],
  });
  return fake;
}

async function openDialog(fake: FakeClient) {
  const user = openConsole(`/dashboard/projects/${shop.id}`, fake);
  await user.click(await screen.findByRole('button', { name: 'Deploy App' }));
  return user;
}

async function openRepositories(fake: FakeClient) {
  const user = await openDialog(fake);
  await user.click(await screen.findByRole('button', { name: /^acme/ }));
  return user;
}

describe('picking a repository', () => {
  it('keeps the order of the server and marks private repositories', async () => {
    await openRepositories(aBackend());
    const options = await screen.findAllByRole('option');
    expect(options.map((option) => option.textContent)).toEqual([
      expect.stringMatching(/^acme\/shopPrivate/),
      expect.stringMatching(/^acme\/web\/blogPrivate/),
      expect.stringMatching(/^ada\/notes(?!Private)/),
    ]);
    expect(screen.getByText('3 repositories')).toBeTruthy();
  });

  it('searches and works with the keyboard alone', async () => {
    const fake = aBackend();
    const user = await openRepositories(fake);
    await screen.findAllByRole('option');
    const search = screen.getByRole('combobox', { name: 'Search repositories' });
    expect(document.activeElement).toBe(search);
    await user.keyboard('ACME');
    expect(screen.getAllByRole('option')).toHaveLength(2);
    await user.keyboard('{ArrowDown}');
    expect(screen.getByRole('option', { selected: true }).textContent).toMatch(/^acme\/web\/blog/);
    await user.keyboard('{Enter}');
    expect(await screen.findByText('git@gitlab.com:acme/web/blog.git')).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Application Name').value).toBe('blog');
    expect(fake.connect.searches).toEqual(['']);
  });

  it('searches on the server when the list is truncated', async () => {
    const fake = aBackend();
    fake.connect.set({ isCut: true });
    const user = await openRepositories(fake);
    await screen.findAllByRole('option');
    await user.keyboard('blog');
    await waitFor(() => expect(fake.connect.searches).toEqual(['', 'blog']));
    await waitFor(() => expect(screen.getByText('1 repository')).toBeTruthy());
  });

  it('shows the first 100 of a long list with a note', async () => {
    const fake = aBackend();
    const many = Array.from({ length: 250 }, (_, index) =>
      aRepository({ full_name: `acme/r${index}` }),
    );
    fake.connect.set({ repositories: many });
    await openRepositories(fake);
    expect(await screen.findAllByRole('option')).toHaveLength(100);
    expect(screen.getByText(/Showing 100 of 250/)).toBeTruthy();
  });

  it('looks up a repository by its full name when the list does not contain it', async () => {
    const fake = aBackend();
    const user = await openRepositories(fake);
    await screen.findAllByRole('option');
    await user.keyboard('other/secret');
    await user.click(await screen.findByRole('button', { name: 'Look up other/secret' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Repository not found');
    fake.connect.set({ repositories: [aRepository({ full_name: 'other/secret' })] });
    await user.click(screen.getByRole('button', { name: 'Look up other/secret' }));
    expect(await screen.findByText('git@gitlab.com:other/secret.git')).toBeTruthy();
  });

  it('shows a message when the account has no repositories', async () => {
    const fake = aBackend();
    fake.connect.set({ repositories: [] });
    await openRepositories(fake);
    expect(await screen.findByText('This account has no repositories yet.')).toBeTruthy();
  });

  it('shows why loading failed, with a toast, and retries', async () => {
    const fake = aBackend();
    fake.connect.failRequests('GitLab allows no more requests until 12:30');
    const user = await openRepositories(fake);
    expect(await screen.findByText('Failed to load repositories')).toBeTruthy();
    expect(screen.getByText('Could not retrieve repositories')).toBeTruthy();
    expect(screen.getByText('GitLab allows no more requests until 12:30')).toBeTruthy();
    fake.connect.failRequests(undefined);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findAllByRole('option')).toHaveLength(3);
  });

  it('links to the Integrations page when the access has expired', async () => {
    const fake = createFakeClient({
      resources: [shop, anIntegration({ state: 'reconnect' })],
    });
    await openRepositories(fake);
    const link = await screen.findByRole('link', { name: /Reconnect it/ });
    expect(link.getAttribute('href')).toBe('/dashboard/integrations');
  });

  it('can go back, or switch to manual deployment', async () => {
    const user = await openRepositories(aBackend());
    await user.click(screen.getByRole('button', { name: 'Back' }));
    await user.click(await screen.findByRole('button', { name: /^acme/ }));
    await user.click(screen.getByRole('button', { name: 'Manual deployment' }));
    expect(await screen.findByLabelText('Source URL')).toBeTruthy();
  });
});

describe('deploying a picked repository', () => {
  async function openPicked(fake: FakeClient) {
    const user = await openRepositories(fake);
    await user.click((await screen.findAllByRole('option'))[0] as HTMLElement);
    await screen.findByText('git@gitlab.com:acme/shop.git');
    return user;
  }

  it('sends its ssh URL, the ref and the integration', async () => {
    const fake = aBackend();
    const user = await openPicked(fake);
    const ref = screen.getByRole('combobox', { name: 'Source Ref' });
    await user.click(ref);
    const offered = await within(await screen.findByRole('listbox')).findAllByRole('option');
    expect(offered.map((option) => option.textContent)).toEqual([
      'maindefault branch',
      'devbranch',
      'v1.0tag',
    ]);
    await user.click(screen.getByRole('option', { name: /^v1.0/ }));
    expect(screen.queryByRole('listbox')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Deploy' }));
    await waitFor(() => expect(fake.sent).toHaveLength(1));
    expect(fake.sent[0]?.values).toMatchObject({
      name: 'shop',
      source: {
        enabled: true,
        url: 'git@gitlab.com:acme/shop.git',
        ref: 'v1.0',
        secretName: 'i1',
      },
      container: { pullSecretName: '' },
    });
  });

  it('clones over https if selected', async () => {
    const fake = aBackend();
    const user = await openPicked(fake);
    expect(screen.getByRole('radio', { name: 'SSH', checked: true })).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: 'HTTPS' }));
    await user.click(screen.getByRole('button', { name: 'Deploy' }));
    await waitFor(() =>
      expect(fake.sent[0]?.values.source).toMatchObject({
        url: 'https://gitlab.com/acme/shop.git',
        secretName: 'i1',
      }),
    );
  });

  it('accepts a ref that is not in the list', async () => {
    const fake = aBackend();
    const user = await openPicked(fake);
    const ref = screen.getByRole('combobox', { name: 'Source Ref' });
    await user.clear(ref);
    await user.type(ref, 'feature/new');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(fake.sent[0]?.values.source.ref).toBe('feature/new'));
  });

  it('closes the list of refs with the first Escape and the dialog with the second', async () => {
    const user = await openPicked(aBackend());
    await user.click(screen.getByRole('combobox', { name: 'Source Ref' }));
    await screen.findByRole('listbox');
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(screen.getByRole('dialog')).toBeTruthy();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('survives closing the dialog and allows picking another repository', async () => {
    const user = await openPicked(aBackend());
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Deploy App' }));
    expect(await screen.findByText('git@gitlab.com:acme/shop.git')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Change repository' }));
    expect(await screen.findAllByRole('option')).toHaveLength(3);
  });
});

describe('the account in manual mode', () => {
  it('is selected by name for a git URL', async () => {
    const fake = aBackend();
    const user = await openDialog(fake);
    await user.click(await screen.findByRole('button', { name: /^Manual deployment/ }));
    await user.type(screen.getByLabelText('Source URL'), 'https://gitlab.com/acme/shop');
    await user.type(screen.getByLabelText('Application Name'), 'web');
    const account = screen.getByLabelText<HTMLSelectElement>('Git account');
    expect(
      within(account)
        .getAllByRole('option')
        .map((option) => option.textContent),
    ).toEqual(['None (public repository)', 'acme (gitlab.com)']);
    await user.selectOptions(account, 'acme (gitlab.com)');
    expect(await screen.findByRole('combobox', { name: 'Source Ref' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Deploy' }));
    await waitFor(() => expect(fake.sent[0]?.values.source.secretName).toBe('i1'));
  });

  it('is preselected for a chosen registry', async () => {
    const fake = aBackend();
    const user = await openDialog(fake);
    await user.click(await screen.findByRole('button', { name: /^ada/ }));
    await user.click(screen.getByRole('button', { name: 'Deploy' }));
    expect(screen.getByText('Container image is required')).toBeTruthy();
    const account = screen.getByLabelText<HTMLSelectElement>('Registry account');
    expect(account.selectedOptions[0]?.textContent).toBe('ada (registry:5000)');
    await user.type(screen.getByLabelText('Container Image'), 'registry:5000/shop');
    await user.type(screen.getByLabelText('Application Name'), 'web');
    await user.click(screen.getByRole('button', { name: 'Deploy' }));
    await waitFor(() => expect(fake.sent[0]?.values.container.pullSecretName).toBe('r1'));
  });

  it('is hidden while no account is connected', async () => {
    const user = await openDialog(createFakeClient({ resources: [shop] }));
    await user.click(await screen.findByRole('button', { name: /^Manual deployment/ }));
    expect(screen.queryByLabelText('Git account')).toBeNull();
  });
});

describe('editing an app with an integration', () => {
  it('shows when the integration was removed', async () => {
    const source = { ...anApp().values.source, secretName: 'gone' };
    const app = anApp({ projectId: shop.id, source });
    const fake = createFakeClient({ resources: [shop, app, gitlab] });
    const user = openConsole(`/dashboard/projects/${shop.id}/apps/${app.id}`, fake);
    await user.click(await screen.findByRole('button', { name: 'Edit App' }));
    expect(await screen.findByText(/This integration was removed/)).toBeTruthy();
    await user.selectOptions(screen.getByLabelText('Git account'), 'acme (gitlab.com)');
    expect(screen.queryByText(/This integration was removed/)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(fake.sent[0]?.values.source.secretName).toBe('i1'));
  });
});
