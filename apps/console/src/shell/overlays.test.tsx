import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { createFakeClient } from '../../test/fake-client.ts';
import { openConsole } from '../../test/open-console.tsx';
import { anApp, aProject } from '../../test/resources.ts';
import { overlayOf } from './use-overlay.ts';

const shop = aProject({ name: 'Shop' });
const blog = aProject({ id: 'p2', name: 'Blog' });
const web = anApp({ name: 'web' });
const APP = `/dashboard/projects/${shop.id}/apps/${web.id}`;

async function openPalette(path: string) {
  const fake = createFakeClient({ resources: [shop, blog, web] });
  const user = openConsole(path, fake);
  await waitFor(() =>
    expect(screen.getByRole('heading', { level: 1 }).textContent).not.toBe('Loading'),
  );
  await user.keyboard('{Control>}k{/Control}');
  const palette = within(await screen.findByRole('dialog', { name: 'Command palette' }));
  return { fake, user, palette, input: palette.getByRole('combobox') };
}

describe('the command palette', () => {
  it('opens a project by a part of its name', async () => {
    const { user, palette, input } = await openPalette('/dashboard/integrations');
    expect(document.activeElement).toBe(input);
    await user.keyboard('blo');
    const [first] = palette.getAllByRole('option');
    expect(first?.textContent).toBe('Blog');
    expect(input.getAttribute('aria-activedescendant')).toBe(first?.id);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(window.location.pathname).toBe('/dashboard/projects/p2'));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('opens an application with the arrow keys', async () => {
    const { user, palette } = await openPalette('/dashboard/integrations');
    await user.keyboard('web{ArrowDown}{ArrowUp}');
    expect(palette.getByRole('option', { selected: true }).textContent).toBe('webShop');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(window.location.pathname).toBe(APP));
  });

  it('has focus before the key press that opens it has ended', async () => {
    openConsole('/dashboard', createFakeClient({ resources: [blog] }));
    await screen.findByRole('link', { name: 'Blog' });
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    expect(document.activeElement).toBe(screen.getByRole('combobox'));
  });

  it('asks before it hibernates the application that is shown', async () => {
    const { fake, user, palette } = await openPalette(APP);
    await user.keyboard('hiber{Enter}');
    expect(palette.getByRole('option', { selected: true }).textContent).toBe(
      'Hibernate webPress Enter or click again to confirm',
    );
    expect(fake.sent).toEqual([]);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(fake.sent).toHaveLength(1));
    expect(fake.sent[0]?.values.instances).toBe(0);
  });

  it.each([
    ['Enter in an empty palette', '{Enter}'],
    ['Enter after a name', 'redeploy{Enter}'],
    ['a held Enter key', 'redeploy{Enter>5/}'],
    ['an edit after Enter', 'redeploy{Enter}{Backspace}y{Enter}'],
  ])('does not redeploy on %s', async (_, keys) => {
    const { fake, user } = await openPalette(APP);
    await screen.findByRole('button', { name: 'Hibernate', hidden: true });
    await user.keyboard(keys);
    expect(fake.redeploys).toEqual([]);
    expect(fake.sent).toEqual([]);
  });

  it('redeploys on a second, separate click only', async () => {
    const { fake, user, palette } = await openPalette(APP);
    await user.keyboard('redeploy');
    await user.dblClick(palette.getByRole('option', { name: /^Redeploy web/ }));
    expect(fake.redeploys).toEqual([]);
    fireEvent.click(palette.getByText('Redeploy web'), { detail: 1 });
    await waitFor(() => expect(fake.redeploys).toEqual([web.id]));
  });

  it('keeps the selected entry when a better one appears', async () => {
    const { fake, user, palette } = await openPalette('/dashboard/integrations');
    await user.keyboard('blo');
    act(() => fake.showResources([shop, blog, web, aProject({ id: 'p0', name: 'Blo' })]));
    await palette.findByRole('option', { name: 'Blo' });
    expect(palette.getByRole('option', { selected: true }).textContent).toBe('Blog');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(window.location.pathname).toBe('/dashboard/projects/p2'));
  });

  it('runs nothing when the selected entry has disappeared', async () => {
    const { fake, user, palette } = await openPalette('/dashboard/integrations');
    await user.keyboard('blo');
    act(() => fake.showResources([shop, web, aProject({ id: 'p3', name: 'Blotter' })]));
    await palette.findByRole('option', { name: 'Blotter' });
    await user.keyboard('{Enter}');
    expect(palette.getByRole('combobox')).toBeTruthy();
    expect(window.location.pathname).toBe('/dashboard/integrations');
  });

  it('runs a harmless command on the application that is shown at once', async () => {
    const { user } = await openPalette(APP);
    await user.keyboard('edit{Enter}');
    expect(await screen.findByRole('dialog', { name: 'Edit App' })).toBeTruthy();
  });

  it('asks for confirmation before deleting', async () => {
    const { user } = await openPalette(APP);
    await user.keyboard('delete{Enter}');
    expect(await screen.findByRole('alertdialog', { name: 'Delete web?' })).toBeTruthy();
  });

  it('closes on navigation', async () => {
    const { user } = await openPalette('/dashboard/integrations');
    await user.keyboard('blo{Enter}');
    await screen.findByRole('heading', { name: 'Blog' });
    await user.keyboard('{Control>}k{/Control}');
    await screen.findByRole('dialog', { name: 'Command palette' });
    act(() => window.history.back());
    await screen.findByRole('heading', { name: 'External Integrations' });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('changes the theme and signs out', async () => {
    const { user } = await openPalette('/dashboard');
    await user.keyboard('amber{Enter}');
    expect(document.documentElement.dataset.theme).toBe('amber');
    await user.keyboard('{Meta>}k{/Meta}');
    await screen.findByRole('combobox');
    await user.keyboard('sign out{Enter}{Enter}');
    expect(await screen.findByRole('button', { name: 'Sign In' })).toBeTruthy();
  });

  it('shows that there are no results', async () => {
    const { user, palette } = await openPalette('/dashboard');
    await user.keyboard('qqq');
    expect(palette.getByText('No results')).toBeTruthy();
  });

  it('is opened by its button, and returns the focus', async () => {
    const user = openConsole('/dashboard', createFakeClient({ resources: [] }));
    const button = await screen.findByRole('button', { name: /^Go to…/ });
    await user.click(button);
    await screen.findByRole('combobox');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(button));
  });
});

describe('the keyboard help', () => {
  it('opens on ?, but not while typing', async () => {
    const user = openConsole('/dashboard', createFakeClient({ resources: [] }));
    await user.click(await screen.findByRole('searchbox'));
    await user.keyboard('?');
    expect(screen.queryByRole('dialog')).toBeNull();
    fireEvent.keyDown(document.body, { key: '?' });
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy();
  });
});

describe('a key', () => {
  const press = { ctrlKey: false, metaKey: false, altKey: false, target: null };
  it.each([
    [{ key: 'k', ctrlKey: true }, 'palette'],
    [{ key: 'K', metaKey: true }, 'palette'],
    [{ key: 'k' }, undefined],
    [{ key: 'k', ctrlKey: true, altKey: true }, undefined],
    [{ key: '?' }, 'help'],
    [{ key: '?', ctrlKey: true }, undefined],
  ])('%j opens %s', (keys, overlay) => {
    expect(overlayOf({ ...press, ...keys })).toBe(overlay);
  });
});
