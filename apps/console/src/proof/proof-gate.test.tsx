import type { ProofOption } from '@longshore/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { FAKE_CODE, FAKE_PASSWORD } from '../../test/fake-account.ts';
import { createFakeClient } from '../../test/fake-client.ts';
import { openConsole } from '../../test/open-console.tsx';

const TITLE = "Confirm it's you";

function open(path: string, options: ProofOption[] | undefined) {
  const fake = createFakeClient({ resources: [] });
  fake.account.proof.options = options;
  return { fake, user: openConsole(`/dashboard/user/${path}`, fake) };
}

async function openChangePassword(options: ProofOption[] | undefined) {
  const opened = open('profile', options);
  await opened.user.click(await screen.findByRole('button', { name: 'Change Password' }));
  return opened;
}

const confirmDialog = async () => within(await screen.findByRole('dialog', { name: TITLE }));
const passwordDialog = async () =>
  within(await screen.findByRole('dialog', { name: 'Change Password' }));

describe('a sensitive change', () => {
  it('opens its dialog at once after a recent sign-in', async () => {
    await openChangePassword(undefined);
    expect(await passwordDialog()).toBeTruthy();
    expect(screen.queryByRole('dialog', { name: TITLE })).toBeNull();
  });

  it('asks for the password first, then opens its own dialog with two fields', async () => {
    const { fake, user } = await openChangePassword(['password']);
    const confirm = await confirmDialog();
    expect(screen.queryByRole('dialog', { name: 'Change Password' })).toBeNull();
    const field = confirm.getByLabelText('Password');
    expect(document.activeElement).toBe(field);
    await user.type(field, `${FAKE_PASSWORD}{Enter}`);
    const change = await passwordDialog();
    expect(screen.queryByRole('dialog', { name: TITLE })).toBeNull();
    await user.type(change.getByLabelText('New Password'), 'another horse');
    await user.type(change.getByLabelText('Confirm New Password'), 'another horse{Enter}');
    expect(await screen.findByText('Password changed')).toBeTruthy();
    expect(fake.account.newPasswords).toEqual(['another horse']);
  });

  it('shows a wrong proof at the field, and can be cancelled', async () => {
    const { user } = await openChangePassword(['password']);
    const confirm = await confirmDialog();
    await user.click(confirm.getByRole('button', { name: 'Confirm' }));
    expect(confirm.getByRole('alert').textContent).toBe('Enter your password');
    await user.type(confirm.getByLabelText('Password'), 'a guess{Enter}');
    await waitFor(() => expect(confirm.getByRole('alert').textContent).toBe('Wrong proof'));
    await user.click(confirm.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('asks again if the proof expires while its dialog is open, and keeps what was typed', async () => {
    const { fake, user } = await openChangePassword(undefined);
    const change = await passwordDialog();
    await user.type(change.getByLabelText('New Password'), 'another horse');
    fake.account.proof.options = ['totp'];
    await user.type(change.getByLabelText('Confirm New Password'), 'another horse{Enter}');
    const confirm = await confirmDialog();
    await user.type(confirm.getByLabelText('Code'), `${FAKE_CODE}{Enter}`);
    expect(await screen.findByText('Password changed')).toBeTruthy();
    expect(fake.account.newPasswords).toEqual(['another horse']);
  });
});

describe('the options of the dialog', () => {
  it('are the first one, with the others one press away', async () => {
    const { user } = await openChangePassword(['password', 'security-key', 'email-code']);
    const confirm = await confirmDialog();
    await user.click(confirm.getByRole('button', { name: 'Email a code' }));
    expect(confirm.getByText('We email a code to ada@example.com.')).toBeTruthy();
    await user.click(confirm.getByRole('button', { name: 'Use passkey' }));
    await user.click(confirm.getByRole('button', { name: 'Use passkey' }));
    expect(await passwordDialog()).toBeTruthy();
  });

  it('include a mailed code', async () => {
    const { user } = await openChangePassword(['email-code']);
    const confirm = await confirmDialog();
    await user.click(confirm.getByRole('button', { name: 'Email a code' }));
    await user.type(await confirm.findByLabelText('Code'), `${FAKE_CODE}{Enter}`);
    expect(await passwordDialog()).toBeTruthy();
  });

  it('are a new sign-in for accounts without any', async () => {
    await openChangePassword([]);
    const confirm = await confirmDialog();
    expect(confirm.getByText('Sign out and sign in again to make this change.')).toBeTruthy();
    expect(confirm.getByRole('button', { name: 'Sign out' })).toBeTruthy();
  });
});

describe('the security page', () => {
  it.each([
    ['Passkeys', 'Add passkey'],
    ['Authenticator app', 'Set up'],
    ['Personal access tokens', 'Create token'],
  ])('asks before the dialog of %s: %s', async (region, button) => {
    const { user } = open('security', ['password']);
    const card = within(await screen.findByRole('region', { name: region }));
    await user.click(card.getByRole('button', { name: button }));
    const confirm = await confirmDialog();
    await user.type(confirm.getByLabelText('Password'), `${FAKE_PASSWORD}{Enter}`);
    await waitFor(() => expect(screen.queryByRole('dialog', { name: TITLE })).toBeNull());
    expect(await screen.findByRole('dialog')).toBeTruthy();
  });

  it('shows the tokens after a proof', async () => {
    const { user } = open('security', ['password']);
    const card = within(await screen.findByRole('region', { name: 'Personal access tokens' }));
    expect(card.getByText('Confirm your identity to see your tokens.')).toBeTruthy();
    await user.click(card.getByRole('button', { name: 'Show tokens' }));
    const confirm = await confirmDialog();
    await user.type(confirm.getByLabelText('Password'), `${FAKE_PASSWORD}{Enter}`);
    expect(await card.findByText('No tokens yet.')).toBeTruthy();
  });
});
