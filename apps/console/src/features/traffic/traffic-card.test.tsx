import type { EdgeSettings } from '@longshore/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { createFakeClient } from '../../../test/fake-client.ts';
import { openConsole } from '../../../test/open-console.tsx';
import { anApp, aProject } from '../../../test/resources.ts';

const shop = aProject();
const publicAccess = {
  enabled: true,
  domain: 'auto',
  baseDomain: 'localhost',
  domains: ['example.com'],
};

function openApp(edge?: EdgeSettings) {
  const app = anApp({ publicAccess, ...(edge && { edge }) });
  const fake = createFakeClient({ resources: [shop, app] });
  const user = openConsole(`/dashboard/projects/${shop.id}/apps/${app.id}/settings`, fake);
  return { fake, user };
}

const card = async () => within(await screen.findByRole('region', { name: /^Traffic/ }));

async function openDialog(edge?: EdgeSettings) {
  const { fake, user } = openApp(edge);
  await user.click((await card()).getByRole('button', { name: 'Edit traffic settings' }));
  return { fake, user, dialog: within(await screen.findByRole('dialog')) };
}

describe('the traffic card', () => {
  it('shows the settings, and never a password', async () => {
    openApp({
      maintenance: true,
      basicAuth: { username: 'ada' },
      allowedIps: ['203.0.113.7'],
      headers: { 'X-Frame-Options': 'DENY' },
      redirects: [{ from: 'example.com', to: 'https://www.example.com' }],
    });
    const shown = await card();
    for (const text of [
      'Maintenance',
      'Username ada',
      '203.0.113.7',
      'X-Frame-Options: DENY',
      'example.com → https://www.example.com',
    ]) {
      expect(shown.getByText(text)).toBeTruthy();
    }
  });

  it('says what the settings are for while there are none', async () => {
    openApp();
    expect((await card()).getByText(/^Everybody can reach this app/)).toBeTruthy();
  });

  it('saves new settings, and leaves other values as they are', async () => {
    const { fake, user, dialog } = await openDialog();
    expect(dialog.getByText(/not restarted or rebuilt/)).toBeTruthy();
    await user.click(dialog.getByRole('switch', { name: 'Password protection' }));
    await user.type(dialog.getByLabelText('Username'), 'ada');
    await user.type(dialog.getByLabelText('Password'), 'sesame');
    await user.type(dialog.getByLabelText('Allowed IP addresses'), '203.0.113.7');
    await user.click(dialog.getByRole('button', { name: 'Add redirect' }));
    expect(document.activeElement).toBe(dialog.getByLabelText('Domain 1'));
    await user.type(dialog.getByLabelText('Target 1'), 'https://www.example.com');
    await user.click(dialog.getByRole('button', { name: 'Add header' }));
    await user.type(dialog.getByLabelText('Header name 1'), 'X-Frame-Options');
    await user.type(dialog.getByLabelText('Header value 1'), 'DENY');
    await user.type(dialog.getByLabelText('Maximum upload (MB)'), '10');
    await user.selectOptions(dialog.getByLabelText('Redirect to HTTPS'), 'Never');
    expect(dialog.getByText('Visitors can use HTTP.')).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Save changes' }));
    await waitFor(() => expect(fake.sent).toHaveLength(1));
    expect(fake.sent[0]?.values).toEqual({
      ...anApp({ publicAccess }).values,
      edge: {
        basicAuth: { username: 'ada', password: 'sesame' },
        allowedIps: ['203.0.113.7'],
        redirects: [{ from: 'example.com', to: 'https://www.example.com' }],
        headers: { 'X-Frame-Options': 'DENY' },
        maxBodyMb: 10,
        forceHttps: false,
      },
    });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('keeps the stored password when the field stays empty, and removes all settings', async () => {
    const { fake, user, dialog } = await openDialog({ basicAuth: { username: 'ada' } });
    expect(dialog.getByText('Leave empty to keep the current password.')).toBeTruthy();
    await user.click(dialog.getByRole('switch', { name: 'Maintenance page' }));
    await user.click(dialog.getByRole('button', { name: 'Save changes' }));
    await waitFor(() => expect(fake.sent).toHaveLength(1));
    expect(fake.sent[0]?.values.edge).toEqual({
      maintenance: true,
      basicAuth: { username: 'ada' },
    });
  });

  it('sends nothing while a field is wrong, and says what the server would say', async () => {
    const { fake, user, dialog } = await openDialog();
    await user.type(dialog.getByLabelText('Allowed IP addresses'), 'everybody');
    await user.type(dialog.getByLabelText('Response timeout (seconds)'), '0');
    await user.click(dialog.getByRole('button', { name: 'Save changes' }));
    expect(await dialog.findByText(/^"everybody": Must be an address or a network/)).toBeTruthy();
    expect(dialog.getByText(/between 1 and 3600$/)).toBeTruthy();
    await waitFor(() =>
      expect(document.activeElement).toBe(dialog.getByLabelText('Allowed IP addresses')),
    );
    expect(fake.sent).toEqual([]);
  });

  it('keeps what was entered when the server refuses it, and says why', async () => {
    const { fake, user, dialog } = await openDialog();
    fake.failRequests('values.edge.allowedIps: At most 200 entries are allowed');
    await user.type(dialog.getByLabelText('Allowed IP addresses'), '203.0.113.7');
    await user.click(dialog.getByRole('button', { name: 'Save changes' }));
    expect(await dialog.findByText('At most 200 entries are allowed')).toBeTruthy();
    expect(dialog.getByLabelText('Allowed IP addresses')).toHaveProperty('value', '203.0.113.7');
  });

  it('asks before it discards edits', async () => {
    const { user, dialog } = await openDialog();
    await user.click(dialog.getByRole('switch', { name: 'Maintenance page' }));
    await user.keyboard('{Escape}');
    expect(await screen.findByText('Discard changes?')).toBeTruthy();
  });

  it('says why HTTPS settings have no effect on a server without HTTPS', async () => {
    const { dialog } = await openDialog();
    expect(dialog.getByText(/does not serve HTTPS yet/)).toBeTruthy();
  });
});
