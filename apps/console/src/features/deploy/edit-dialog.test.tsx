import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { createFakeClient } from '../../../test/fake-client.ts';
import { openConsole } from '../../../test/open-console.tsx';
import { anApp, anIntegration, aProject, aRelease, aRepository } from '../../../test/resources.ts';

const shop = aProject({ name: 'Shop' });
const projectPath = `/dashboard/projects/${shop.id}`;

describe('editing an app', () => {
  it('can go back and choose another source', async () => {
    const app = anApp({ projectId: shop.id });
    const gitlab = anIntegration();
    const fake = createFakeClient({ resources: [shop, app, gitlab] });
    fake.connect.set({ repositories: [aRepository({ full_name: 'acme/blog' })] });
    const user = openConsole(`${projectPath}/apps/${app.id}`, fake);
    await user.click(await screen.findByRole('button', { name: 'Edit App' }));
    await user.click(await screen.findByRole('button', { name: 'Back' }));
    await user.click(await screen.findByRole('button', { name: /^acme/ }));
    await user.click(await screen.findByRole('option'));
    expect(screen.getByLabelText<HTMLInputElement>('Application Name').value).toBe('shop');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(window.location.pathname).toBe(projectPath));
    expect(fake.sent).toMatchObject([
      {
        appId: app.id,
        values: {
          name: 'shop',
          source: { url: 'git@gitlab.com:acme/blog.git', secretName: gitlab.id },
          env: app.values.env,
        },
      },
    ]);
  });

  /** The edit is pending until `finish` is called. */
  async function saveAndClose() {
    const app = anApp({ projectId: shop.id });
    const fake = createFakeClient({ resources: [shop, app] });
    const user = openConsole(`${projectPath}/apps/${app.id}`, fake);
    await user.click(await screen.findByRole('button', { name: 'Edit App' }));
    const finish = fake.holdMutations();
    await user.click(await screen.findByRole('button', { name: 'Save' }));
    await user.keyboard('{Escape}');
    return { user, finish };
  }

  it('disables Hibernate while the edit is pending', async () => {
    const { finish } = await saveAndClose();
    const hibernate = await screen.findByRole('button', { name: 'Hibernate' });
    expect(hibernate.getAttribute('aria-disabled')).toBe('true');
    expect(screen.getAllByText('Processing request...').length).toBeGreaterThan(0);
    finish();
    await waitFor(() => expect(window.location.pathname).toBe(projectPath));
  });

  it('does not navigate if the user left while the edit was pending', async () => {
    const { user, finish } = await saveAndClose();
    await user.click(screen.getByRole('link', { name: 'Integrations' }));
    await screen.findByRole('heading', { name: 'External Integrations' });
    await act(async () => finish());
    expect(window.location.pathname).toBe('/dashboard/integrations');
  });

  it('starts with its values, keeps hidden settings and returns to the project', async () => {
    const app = anApp({ projectId: shop.id });
    const fake = createFakeClient({ resources: [shop, app] });
    const user = openConsole(`${projectPath}/apps/${app.id}`, fake);
    await user.click(await screen.findByRole('button', { name: 'Edit App' }));
    const port = await screen.findByLabelText<HTMLInputElement>('Port');
    expect(port.value).toBe('3000');
    await user.clear(port);
    await user.type(port, '8080');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(window.location.pathname).toBe(projectPath));
    expect(fake.sent).toEqual([
      { appId: app.id, values: { ...app.values, ports: [{ number: 8080, expose: true }] } },
    ]);
  });

  it('shows changes and their effect before saving', async () => {
    const app = anApp({ projectId: shop.id });
    const fake = createFakeClient({ resources: [shop, app] });
    const user = openConsole(`${projectPath}/apps/${app.id}`, fake);
    await screen.findByRole('button', { name: 'Edit App' });
    act(() => fake.showReleases([aRelease()]));
    await user.click(screen.getByRole('button', { name: 'Edit App' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit App' }));
    const effect = await dialog.findByRole('status');
    expect(effect.textContent).toBe('No changes to save.');
    await user.click(dialog.getByLabelText('Public access'));
    expect(effect.textContent).toBe('No restart needed.');
    expect(dialog.getByText(/^Changes: public access on → off\./)).toBeTruthy();
    await user.type(dialog.getByLabelText('Value 1'), ' open sesame');
    expect(effect.textContent).toContain('Restarts the app without a rebuild. The running');
    expect(dialog.getByText(/, 1 variable\./).textContent).not.toContain('sesame');
    await user.clear(dialog.getByLabelText('Port'));
    expect(effect.textContent).toBe('Fix the highlighted fields.');
  });

  it('can change an app with a PORT variable of an older version, but not the variable', async () => {
    const app = anApp({ projectId: shop.id, env: { PORT: '80' } });
    const fake = createFakeClient({ resources: [shop, app] });
    const user = openConsole(`${projectPath}/apps/${app.id}`, fake);
    expect(await screen.findByText('The variable PORT is ignored.')).toBeTruthy();
    expect(screen.getByText(/If the app listens on a port other than 3000,/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Change settings' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit App' }));
    const key = dialog.getByLabelText('Key 1');
    const note = document.getElementById(key.getAttribute('aria-describedby') ?? '');
    expect(note?.textContent).toMatch(/^Ignored: Longshore sets PORT itself\./);
    const value = dialog.getByLabelText('Value 1');
    await user.type(value, '80');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(dialog.getByRole('alert').textContent).toBe('Use the port setting');
    await user.type(value, '{Backspace}{Backspace}');
    await user.type(dialog.getByLabelText('Application Name'), '2');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(window.location.pathname).toBe(projectPath));
    const changed = { appId: app.id, values: { ...app.values, name: 'shop2' } };
    expect(fake.sent).toEqual([changed]);
  });

  it('shows no notice for an app without a PORT variable', async () => {
    const app = anApp({ projectId: shop.id });
    openConsole(`${projectPath}/apps/${app.id}`, createFakeClient({ resources: [shop, app] }));
    await screen.findByRole('button', { name: 'Edit App' });
    expect(screen.queryByText('The variable PORT is ignored.')).toBeNull();
  });

  it('writes no values into browser storage', async () => {
    const app = anApp({ projectId: shop.id });
    const user = openConsole(
      `${projectPath}/apps/${app.id}`,
      createFakeClient({ resources: [shop, app] }),
    );
    await user.click(await screen.findByRole('button', { name: 'Edit App' }));
    await user.type(await screen.findByLabelText('Value 1'), ' open sesame');
    const stored = { ...localStorage, ...sessionStorage };
    expect(Object.keys(stored).filter((key) => key === 'deployDraft')).toEqual([]);
    expect(JSON.stringify(stored)).not.toContain('sesame');
  });

  it('rejected by the server shows the specified texts and keeps the fields', async () => {
    const app = anApp({ projectId: shop.id });
    const fake = createFakeClient({ resources: [shop, app] });
    fake.failRequests('The disk is full');
    const user = openConsole(`${projectPath}/apps/${app.id}`, fake);
    await user.click(await screen.findByRole('button', { name: 'Edit App' }));
    await user.click(await screen.findByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Update failed')).toBeTruthy();
    expect(
      screen.getByText('There was an error updating the application configuration'),
    ).toBeTruthy();
    expect(screen.getByText('The disk is full')).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Port').value).toBe('3000');
  });

  it('shows a name that another app has at its field, until the name is changed', async () => {
    const app = anApp({ projectId: shop.id });
    const fake = createFakeClient({ resources: [shop, app] });
    fake.failRequests('values.name: Another app of this project already has this name');
    const user = openConsole(`${projectPath}/apps/${app.id}`, fake);
    await user.click(await screen.findByRole('button', { name: 'Edit App' }));
    const name = await screen.findByLabelText<HTMLInputElement>('Application Name');
    await user.clear(name);
    await user.type(name, 'blog');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Validation Error')).toBeTruthy();
    expect(screen.queryByText('Update failed')).toBeNull();
    const problem = 'Another app of this project already has this name';
    expect(screen.getByText(problem)).toBeTruthy();
    expect(screen.getByText('Fix the highlighted fields.')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(name));
    await user.type(name, '-2');
    expect(screen.queryByText(problem)).toBeNull();
    fake.failRequests(undefined);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(window.location.pathname).toBe(projectPath));
  });

  it('that another session changed saves nothing, keeps the fields and reports the conflict', async () => {
    const app = anApp({ projectId: shop.id });
    const fake = createFakeClient({ resources: [shop, app] });
    const user = openConsole(`${projectPath}/apps/${app.id}`, fake);
    await user.click(await screen.findByRole('button', { name: 'Edit App' }));
    const port = await screen.findByLabelText<HTMLInputElement>('Port');
    await user.clear(port);
    await user.type(port, '8080');
    act(() =>
      fake.showResources([
        shop,
        anApp({ projectId: shop.id, updatedAt: '2025-01-02T00:00:00Z', env: { A: 'b' } }),
      ]),
    );
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(/^This app was changed while you were editing it/)).toBeTruthy();
    expect(port.value).toBe('8080');
    expect(fake.sent).toEqual([]);
  });
});
