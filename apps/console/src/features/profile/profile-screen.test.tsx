import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { createFakeClient } from '../../../test/fake-client.ts';
import { openConsole } from '../../../test/open-console.tsx';
import { anAccountUsage, anApp, aUser } from '../../../test/resources.ts';

const PROFILE = '/dashboard/user/profile';

describe('the profile page', () => {
  it('shows the signed-in user', async () => {
    const user = aUser({ createdAt: '2025-03-09T12:00:00Z', locale: '' });
    openConsole(PROFILE, createFakeClient({ auth: { kind: 'signed-in', user }, resources: [] }));
    expect(await screen.findByRole('heading', { name: 'Profile' })).toBeTruthy();
    expect(screen.getByText('Manage your account settings and preferences')).toBeTruthy();
    for (const text of [
      'Ada Lovelace',
      'ada@example.com',
      'Joined March 9, 2025',
      'Registered',
      'Not specified',
      'me',
      'Account Settings',
    ]) {
      expect(screen.getByText(text), text).toBeTruthy();
    }
  });
});

describe('the usage of the account', () => {
  const usageCard = async () => within(await screen.findByRole('region', { name: 'Usage' }));

  it('shows what is used and allowed, and follows changes of apps', async () => {
    const fake = createFakeClient({ resources: [] });
    openConsole(PROFILE, fake);
    expect(await (await usageCard()).findByText('2 of 20')).toBeTruthy();
    fake.setUsage(anAccountUsage({ apps: { used: 3, limit: 20 } }));
    fake.showResources([anApp()]);
    expect(await (await usageCard()).findByText('3 of 20')).toBeTruthy();
  });

  it('explains a limit that is reached', async () => {
    const fake = createFakeClient({ resources: [] });
    fake.setUsage(anAccountUsage({ apps: { used: 20, limit: 20 } }));
    openConsole(PROFILE, fake);
    expect(await (await usageCard()).findByText(/^Limit reached\. To create an app/)).toBeTruthy();
  });

  it('shows the operator that there is no limit', async () => {
    const fake = createFakeClient({ resources: [] });
    fake.setUsage(anAccountUsage({ apps: { used: 2, limit: null } }));
    openConsole(PROFILE, fake);
    expect(await (await usageCard()).findByText('2 · No limit')).toBeTruthy();
  });

  it('can be loaded again after a failure', async () => {
    const fake = createFakeClient({ resources: [] });
    fake.failRequests('Server offline');
    const user = openConsole(PROFILE, fake);
    const card = await usageCard();
    expect((await card.findByRole('alert')).textContent).toContain('Server offline');
    fake.failRequests(undefined);
    await user.click(card.getByRole('button', { name: 'Try again' }));
    expect(await card.findByText('2 of 20')).toBeTruthy();
  });
});

describe('the theme', () => {
  it('can be any theme, including amber, and updates the top bar', async () => {
    const user = openConsole(PROFILE, createFakeClient({ resources: [] }));
    const themes = within(await screen.findByRole('radiogroup', { name: 'Theme' }));
    expect(themes.getAllByRole('radio').map((theme) => theme.textContent)).toEqual([
      'Light',
      'Dark',
      'Amber',
      'System',
    ]);
    await user.click(themes.getByRole('radio', { name: 'Amber' }));
    expect(localStorage.getItem('theme')).toBe('amber');
    expect(document.documentElement.dataset.theme).toBe('amber');
    await user.click(themes.getByRole('radio', { name: 'Dark' }));
    expect(await screen.findByRole('button', { name: 'Light theme' })).toBeTruthy();
    await user.click(themes.getByRole('radio', { name: 'System' }));
    expect(localStorage.getItem('theme')).toBeNull();
    expect(document.documentElement.dataset.theme).toBe('light');
  });
});

describe('changing the password', () => {
  async function fillIn(
    password: string,
    confirmation: string,
    fake = createFakeClient({ resources: [] }),
  ) {
    const user = openConsole(PROFILE, fake);
    await user.click(await screen.findByRole('button', { name: 'Change Password' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change Password' }));
    await user.type(dialog.getByLabelText('New Password'), password);
    await user.type(dialog.getByLabelText('Confirm New Password'), confirmation);
    const submit = () => user.click(dialog.getByRole('button', { name: 'Change Password' }));
    return { fake, user, dialog, submit };
  }

  it('sends the new password, shows a toast, closes the dialog and clears the fields', async () => {
    const { fake, user, submit } = await fillIn('a new one', 'a new one');
    await submit();
    expect(await screen.findByText('Password changed')).toBeTruthy();
    expect(screen.getByText('Your password has been updated successfully')).toBeTruthy();
    expect(fake.newPasswords).toEqual(['a new one']);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Change Password' }));
    expect(screen.getByLabelText<HTMLInputElement>('New Password').value).toBe('');
  });

  it('lets F8 focus its toast', async () => {
    const { user, submit } = await fillIn('a new one', 'another');
    await submit();
    const toast = (await screen.findByText('Password mismatch')).closest('li');
    await user.keyboard('[F8]');
    expect(document.activeElement).toBe(toast?.parentElement);
    expect(screen.getByRole('region', { name: 'Notifications (F8)' })).toBeTruthy();
  });

  it('rejects passwords that do not match without a request', async () => {
    const { fake, submit } = await fillIn('a new one', 'another');
    await submit();
    expect(await screen.findByText('Password mismatch')).toBeTruthy();
    expect(screen.getByText('Passwords do not match')).toBeTruthy();
    expect(fake.newPasswords).toEqual([]);
  });

  it.each([
    ['Password is too short', 'Password is too short'],
    ['', 'Failed to change password'],
  ])('shows a failure with %j inside the dialog, and keeps the fields', async (message, shown) => {
    const { fake, dialog, submit } = await fillIn('new', 'new');
    fake.failRequests(message);
    await submit();
    expect((await dialog.findByRole('alert')).textContent).toBe(shown);
    expect(dialog.getByLabelText<HTMLInputElement>('New Password').value).toBe('new');
  });

  it('shows that the request is running', async () => {
    const fake = createFakeClient({ resources: [] });
    fake.account.service.changePassword.request = () => new Promise(() => undefined);
    const { dialog, submit } = await fillIn('new', 'new', fake);
    await submit();
    expect(await dialog.findByRole('button', { name: 'Changing...' })).toBeTruthy();
    expect(dialog.getByRole('button', { name: 'Cancel' })).toBeTruthy();
  });

  it('requires both fields', async () => {
    const { dialog } = await fillIn('a', 'a');
    for (const label of ['New Password', 'Confirm New Password'])
      expect(dialog.getByLabelText<HTMLInputElement>(label).required).toBe(true);
  });

  it('opens the dialog once for the link in a reset email', async () => {
    const user = openConsole(`${PROFILE}?change-password`, createFakeClient({ resources: [] }));
    const dialog = await screen.findByRole('dialog', { name: 'Change Password' });
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(window.location.search).toBe('');
  });
});
