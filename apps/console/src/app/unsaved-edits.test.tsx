import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { createFakeClient } from '../../test/fake-client.ts';
import { openConsole } from '../../test/open-console.tsx';
import { anApp, aProject } from '../../test/resources.ts';

const shop = aProject({ name: 'Shop' });
const web = anApp({ name: 'web', projectId: shop.id });
const PROJECT = `/dashboard/projects/${shop.id}`;

type Step = [role: 'button' | 'tab' | 'menuitem' | 'radio', name: string | RegExp];

async function openDialog(path: string, steps: Step[]) {
  const user = openConsole(path, createFakeClient({ resources: [shop, web] }));
  for (const [role, name] of steps) await user.click(await screen.findByRole(role, { name }));
  await screen.findByRole('dialog');
  return user;
}

/** Every dialog with fields, and one of its fields. */
const DIALOGS: [path: string, steps: Step[], field: string][] = [
  ['/dashboard', [['button', 'New Project']], 'Project name'],
  [
    '/dashboard',
    [
      ['button', 'Actions for Shop'],
      ['menuitem', 'Rename'],
    ],
    'Project name',
  ],
  [`${PROJECT}/apps/${web.id}`, [['button', 'Edit App']], 'Port'],
  [`${PROJECT}/apps/${web.id}`, [['button', 'Edit App']], 'Value 1'],
  [
    '/dashboard/integrations',
    [
      ['button', 'Add New Integration'],
      ['radio', 'GitHub'],
    ],
    'Personal access token',
  ],
  [
    '/dashboard/integrations',
    [
      ['button', 'Add New Integration'],
      ['tab', 'Container registry'],
    ],
    'Username',
  ],
  ['/dashboard/user/profile', [['button', 'Change Password']], 'New Password'],
  ['/dashboard/user/security', [['button', 'Add passkey']], 'Name'],
  ['/dashboard/user/security', [['button', 'Create token']], 'Name'],
];

describe.each(DIALOGS)('on %s, the dialog behind %j', (path, steps, field) => {
  it(`asks before it discards an edit of ${field}`, async () => {
    const user = await openDialog(path, steps);
    await user.type(await screen.findByLabelText(field), '1');
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('closes at once without edits', async () => {
    const user = await openDialog(path, steps);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});

it('the deploy dialog keeps its draft, so it closes without a question', async () => {
  const user = await openDialog(PROJECT, [
    ['button', 'Deploy App'],
    ['button', /^Manual deployment/],
  ]);
  await user.type(await screen.findByLabelText('Application Name'), 'blog');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Deploy App' }));
  const name = await screen.findByLabelText<HTMLInputElement>('Application Name');
  expect(name.value).toBe('blog');
});

describe('a tab with unsaved edits', () => {
  const settings = `${PROJECT}/apps/${web.id}/settings`;

  async function editPort() {
    const user = openConsole(settings, createFakeClient({ resources: [shop, web] }));
    await user.type(await screen.findByLabelText('Port'), '1');
    return user;
  }

  it.each(['Projects', 'Logs · web'])('asks before the palette jumps to %s', async (target) => {
    const user = await editPort();
    await user.keyboard('{Control>}k{/Control}');
    await user.type(screen.getByRole('combobox', { name: 'Command palette' }), `${target}{Enter}`);
    const question = await screen.findByRole('alertdialog', { name: 'Discard changes?' });
    expect(window.location.pathname).toBe(settings);
    await user.click(within(question).getByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(window.location.pathname).not.toBe(settings));
  });

  it('asks before Edit App replaces the form', async () => {
    const user = await editPort();
    const edit = screen.getByRole('button', { name: 'Edit App' });
    await user.click(edit);
    const question = () => screen.findByRole('alertdialog', { name: 'Discard changes?' });
    await user.click(within(await question()).getByRole('button', { name: 'Cancel' }));
    const port = () => screen.getByLabelText<HTMLInputElement>('Port').value;
    expect(port()).toBe('30001');
    await user.click(edit);
    await user.click(within(await question()).getByRole('button', { name: 'Discard' }));
    const dialog = await screen.findByRole('dialog', { name: 'Edit App' });
    expect(within(dialog).getByLabelText<HTMLInputElement>('Port').value).toBe('3000');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(port()).toBe('3000');
  });

  it('asks before the user signs out', async () => {
    const user = await editPort();
    await user.click(screen.getByRole('button', { name: 'Sign out' }));
    const question = await screen.findByRole('alertdialog', { name: 'Discard changes?' });
    await user.click(within(question).getByRole('button', { name: 'Cancel' }));
    expect(screen.getByLabelText<HTMLInputElement>('Port').value).toBe('30001');
  });
});
