import type { Provider, Resource } from '@longshore/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { createFakeClient } from '../../../test/fake-client.ts';
import { openConsole } from '../../../test/open-console.tsx';
import { anApp, anIntegration } from '../../../test/resources.ts';

const PATH = '/dashboard/integrations';
const { source } = anApp().values;
const appWithIntegration = anApp({ name: 'shop', source: { ...source, secretName: 'i1' } });

describe('the integrations page', () => {
  it('shows an empty state when there are no integrations', async () => {
    openConsole(PATH, createFakeClient({ resources: [] }));
    expect(await screen.findByRole('heading', { name: 'External Integrations' })).toBeTruthy();
    expect(
      screen.getByText('Connect to external services like GitLab and Docker Hub'),
    ).toBeTruthy();
    expect(screen.getByText('No integrations found')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Add New Integration' })).toBeTruthy();
  });

  it('shows a card for each integration, with account, provider, type and usage', async () => {
    const hub = anIntegration({
      id: 'i2',
      provider: 'dockerhub',
      type: 'docker',
      account_name: 'ada',
    });
    openConsole(PATH, createFakeClient({ resources: [anIntegration(), hub, appWithIntegration] }));
    await screen.findByRole('heading', { name: 'acme' });
    const cards = screen.getAllByRole('listitem');
    expect(cards.map((card) => within(card).getByRole('heading').textContent)).toEqual([
      'acme',
      'ada',
    ]);
    expect(cards[0]?.textContent).toContain('GitLabOAuthUsed by 1 app');
    expect(cards[1]?.textContent).toContain('Docker HubCredentialsNot used yet');
  });

  it('lists only known providers', async () => {
    const other = anIntegration({ id: 'i2', provider: 'other' as Provider, account_name: 'odd' });
    openConsole(PATH, createFakeClient({ resources: [anIntegration(), other] }));
    expect(await screen.findByText('acme')).toBeTruthy();
    expect(screen.queryByText('odd')).toBeNull();
  });

  it('shows skeletons while it loads, and the error if it fails', async () => {
    const fake = createFakeClient();
    openConsole(PATH, fake);
    await screen.findByRole('heading', { name: 'External Integrations' });
    expect(screen.getAllByRole('listitem')).toHaveLength(3);
    act(() => fake.failLoading('No answer'));
    expect((await screen.findByRole('alert')).textContent).toContain('No answer');
  });
});

describe('returning from a provider', () => {
  it.each([
    ['?connected=gitlab', 'GitLab connected'],
    ['?failed=denied', 'Connection failed'],
  ])('with %s shows one toast and removes the parameter from the URL', async (search, title) => {
    openConsole(PATH + search, createFakeClient({ resources: [] }));
    expect(await screen.findByText(title)).toBeTruthy();
    await waitFor(() => expect(window.location.search).toBe(''));
  });
});

describe('removing an integration', () => {
  async function openRemoval(resources: Resource[] = [anIntegration()]) {
    const fake = createFakeClient({ resources });
    const user = openConsole(PATH, fake);
    await user.click(await screen.findByRole('button', { name: 'Remove acme' }));
    return { fake, user, dialog: within(await screen.findByRole('alertdialog')) };
  }

  it('asks for confirmation', async () => {
    const { fake, user, dialog } = await openRemoval();
    expect(
      dialog.getByText('Are you sure you want to remove this GitLab integration?'),
    ).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(fake.connect.removed).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Remove acme' }));
    await user.click(await screen.findByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(fake.connect.removed).toEqual([{ id: 'i1', isForced: false }]);
  });

  it('lists the apps that use it and removes it anyway', async () => {
    const { fake, user, dialog } = await openRemoval([anIntegration(), appWithIntegration]);
    expect(dialog.getByRole('listitem').textContent).toBe('shop');
    await user.click(dialog.getByRole('button', { name: 'Remove anyway' }));
    await waitFor(() => expect(fake.connect.removed).toEqual([{ id: 'i1', isForced: true }]));
  });

  it('asks for confirmation again if the server reports apps that are not listed', async () => {
    const { fake, user, dialog } = await openRemoval();
    fake.connect.setDependentApps([{ id: 'a9', name: 'hidden', projectId: 'p9' }]);
    await user.click(dialog.getByRole('button', { name: 'Remove' }));
    expect((await dialog.findByRole('listitem')).textContent).toBe('hidden');
    await user.click(dialog.getByRole('button', { name: 'Remove anyway' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(fake.connect.removed.map(({ isForced }) => isForced)).toEqual([false, true]);
  });

  it.each([
    ['The provider says no', 'The provider says no'],
    ['', 'Failed to delete integration'],
  ])('that fails with %j shows “%s”', async (message, text) => {
    const { fake, user, dialog } = await openRemoval();
    fake.connect.failRequests(message);
    await user.click(dialog.getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText(text)).toBeTruthy();
  });
});
