import { autoDomain } from '@longshore/contract';
import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { createFakeClient } from '../../../test/fake-client.ts';
import { openConsole } from '../../../test/open-console.tsx';
import { anApp, aProject } from '../../../test/resources.ts';

const shop = aProject({ name: 'Shop' });
const blog = aProject({ id: 'p2', name: 'Blog' });

describe('the project list', () => {
  it('shows three skeleton cards while loading', async () => {
    openConsole('/dashboard/projects', createFakeClient());
    expect(await screen.findAllByTestId('card-skeleton')).toHaveLength(3);
  });

  it('explains projects when there are none', async () => {
    openConsole('/dashboard/projects', createFakeClient({ resources: [] }));
    expect(await screen.findByRole('heading', { name: 'No projects yet' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Create New Project' })).toBeTruthy();
  });

  it('offers the sample app when there is no project', async () => {
    const fake = createFakeClient({ resources: [] });
    const user = openConsole('/dashboard/projects', fake);
    await user.click(await screen.findByRole('button', { name: 'Deploy sample app' }));
    expect(await screen.findByRole('heading', { name: /^sample/ })).toBeTruthy();
    expect(window.location.pathname).toBe('/dashboard/projects/new-1/apps/new-2');
    expect(fake.uploads).toEqual([{ appId: 'new-2', bytes: 0 }]);
  });

  it('asks for a project before an image, and goes on with the image', async () => {
    const user = openConsole('/dashboard/projects', createFakeClient({ resources: [] }));
    await user.click(await screen.findByRole('button', { name: 'Choose image' }));
    await user.type(await screen.findByLabelText('Project name'), 'Shop');
    await user.click(screen.getByRole('button', { name: 'Create Project' }));
    expect(await screen.findByLabelText('Container Image')).toBeTruthy();
    expect(window.location.pathname).toBe('/dashboard/projects/new-1');
  });

  it('shows why the resources cannot be loaded', async () => {
    const fake = createFakeClient();
    openConsole('/dashboard/projects', fake);
    await screen.findAllByTestId('card-skeleton');
    act(() => fake.failLoading('Forbidden'));
    expect(screen.getByRole('alert').textContent).toMatch(/Forbidden/);
  });

  it('counts the applications of each project and searches by name', async () => {
    const fake = createFakeClient({ resources: [shop, blog, anApp({ projectId: shop.id })] });
    const user = openConsole('/dashboard/projects', fake);
    expect(await screen.findByText('1 application')).toBeTruthy();
    expect(screen.getByText('0 applications')).toBeTruthy();
    await user.type(screen.getByRole('searchbox', { name: 'Search projects' }), 'blo');
    expect(screen.queryByRole('link', { name: 'Shop' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Blog' })).toBeTruthy();
  });

  it('creates a project and shows it in the list', async () => {
    const user = openConsole('/dashboard/projects', createFakeClient({ resources: [] }));
    await user.click(await screen.findByRole('button', { name: 'New Project' }));
    await user.type(screen.getByLabelText('Project name'), 'Shop{Enter}');
    expect(await screen.findByRole('heading', { name: 'Shop' })).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(window.location.pathname).toBe('/dashboard/projects');
  });

  it.each(['New Project', 'Create New Project'])(
    'returns the focus to %s when the dialog closes',
    async (name) => {
      const user = openConsole('/dashboard/projects', createFakeClient({ resources: [shop] }));
      const opener = await screen.findByRole('button', { name });
      await user.click(opener);
      await screen.findByRole('dialog');
      await user.keyboard('{Escape}');
      await waitFor(() => expect(document.activeElement).toBe(opener));
    },
  );

  it('returns the focus to the menu when renaming is cancelled', async () => {
    const user = openConsole('/dashboard/projects', createFakeClient({ resources: [shop] }));
    const opener = await screen.findByRole('button', { name: 'Actions for Shop' });
    await user.click(opener);
    await user.click(await screen.findByRole('menuitem', { name: 'Rename' }));
    await screen.findByRole('dialog');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(opener));
  });

  it('rejects a blank name and keeps the dialog open', async () => {
    const user = openConsole('/dashboard/projects', createFakeClient({ resources: [] }));
    await user.click(await screen.findByRole('button', { name: 'New Project' }));
    await user.type(screen.getByLabelText('Project name'), '   {Enter}');
    expect(await screen.findByText('Invalid input')).toBeTruthy();
    expect(screen.getByRole('dialog')).toBeTruthy();
  });

  it('closes the dialog with one press of Escape although a toast is shown', async () => {
    const user = openConsole('/dashboard/projects', createFakeClient({ resources: [] }));
    await user.click(await screen.findByRole('button', { name: 'New Project' }));
    await user.keyboard('{Enter}');
    await screen.findByText('Invalid input');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('does not delete a project that has applications', async () => {
    const fake = createFakeClient({ resources: [shop, anApp({ projectId: shop.id })] });
    const user = openConsole('/dashboard/projects', fake);
    await user.click(await screen.findByRole('button', { name: 'Actions for Shop' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    expect(await screen.findByText('Cannot delete resource')).toBeTruthy();
    expect(screen.getByText('Please check dependencies first.')).toBeTruthy();
  });

  it('replaces the page of a deleted project in the browser history', async () => {
    const user = openConsole('/dashboard/integrations', createFakeClient({ resources: [shop] }));
    await user.click(await screen.findByRole('link', { name: 'Projects' }));
    await user.click(await screen.findByRole('link', { name: 'Shop' }));
    await screen.findByText('Deploy your first app');
    const pages = window.history.length;
    await user.click(screen.getByRole('button', { name: 'Actions for Shop' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(window.location.pathname).toBe('/dashboard/projects'));
    expect(window.history.length).toBe(pages);
  });

  it('deletes an empty project after confirmation', async () => {
    const user = openConsole('/dashboard/projects', createFakeClient({ resources: [shop, blog] }));
    await user.click(await screen.findByRole('button', { name: 'Actions for Shop' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    expect(await screen.findByRole('link', { name: 'Blog' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Shop' })).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')));
  });

  it.each([
    ['refused', 'Failed to delete resource', 'Something went wrong'],
    ['interrupted', 'Error deleting resource', 'Network Error'],
  ])('reports a deletion that is %s', async (how, title, text) => {
    const fake = createFakeClient({ resources: [shop] });
    const user = openConsole('/dashboard/projects', fake);
    await user.click(await screen.findByRole('button', { name: 'Actions for Shop' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    if (how === 'refused') fake.failRequests('Not now');
    else fake.breakNetwork();
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    expect(await screen.findByText(title)).toBeTruthy();
    expect(screen.getByText(text)).toBeTruthy();
    expect(await screen.findByRole('link', { name: 'Shop' })).toBeTruthy();
  });

  it('reports a project that could not be created, and keeps its name', async () => {
    const fake = createFakeClient({ resources: [] });
    const user = openConsole('/dashboard/projects', fake);
    await user.click(await screen.findByRole('button', { name: 'New Project' }));
    fake.failRequests('Too many projects');
    await user.type(screen.getByLabelText('Project name'), 'Shop{Enter}');
    expect(await screen.findByText('Failed to create project')).toBeTruthy();
    expect(screen.getByText('Too many projects')).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Project name').value).toBe('Shop');
  });

  it('opens an application from the menu of its project', async () => {
    const fake = createFakeClient({ resources: [shop, anApp({ name: 'web' })] });
    const user = openConsole('/dashboard/projects', fake);
    await user.click(await screen.findByRole('button', { name: 'Actions for Shop' }));
    await user.keyboard('{ArrowDown}{ArrowRight}');
    await user.click(await screen.findByRole('menuitem', { name: 'web' }));
    expect(await screen.findByRole('heading', { name: /^web/ })).toBeTruthy();
  });

  it('renders the open menu inside main, which stays accessible', async () => {
    const user = openConsole('/dashboard/projects', createFakeClient({ resources: [shop] }));
    await user.click(await screen.findByRole('button', { name: 'Actions for Shop' }));
    const choice = await screen.findByRole('menuitem', { name: 'Rename' });
    expect(screen.getByRole('main').contains(choice)).toBe(true);
  });

  it('renames a project', async () => {
    const user = openConsole('/dashboard/projects', createFakeClient({ resources: [shop] }));
    await user.click(await screen.findByRole('button', { name: 'Actions for Shop' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Rename' }));
    const name = await screen.findByLabelText('Project name');
    await user.clear(name);
    await user.type(name, 'Market{Enter}');
    expect(await screen.findByRole('link', { name: 'Market' })).toBeTruthy();
  });
});

it('the card of an app links to HTTPS if its host has a certificate', async () => {
  const app = anApp({ projectId: shop.id });
  const fake = createFakeClient({ resources: [shop, app] });
  Object.assign(fake.environment.config.ingress, { httpsPort: 443 });
  const host = autoDomain({ id: app.id, name: app.values.name }, 'localhost');
  fake.secureHosts.push(host);
  openConsole(`/dashboard/projects/${shop.id}`, fake);
  const url = async () =>
    (await screen.findByRole<HTMLAnchorElement>('link', { name: 'Open in a new tab' })).href;
  await waitFor(async () => expect(await url()).toBe(`https://${host}/`));
});

describe('a project', () => {
  it('shows one skeleton while loading', async () => {
    openConsole('/dashboard/projects/p1', createFakeClient());
    expect(await screen.findAllByTestId('card-skeleton')).toHaveLength(1);
  });

  it('that does not exist shows a message and a back link', async () => {
    openConsole('/dashboard/projects/nowhere', createFakeClient({ resources: [] }));
    expect(await screen.findByText('Project not found by ID')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Back to projects' })).toBeTruthy();
    expect(document.title).toBe('Project not found by ID · Longshore');
  });

  it('without an id shows a message', async () => {
    openConsole('/dashboard/projects/%20', createFakeClient({ resources: [shop] }));
    expect(await screen.findByText('Project ID not found')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Back to projects' })).toBeTruthy();
  });

  it('shows each application with its origin, status and public badge', async () => {
    const app = anApp({ name: 'web', status: 'backoff', projectId: shop.id });
    openConsole(`/dashboard/projects/${shop.id}`, createFakeClient({ resources: [shop, app] }));
    expect(await screen.findByRole('link', { name: 'web' })).toBeTruthy();
    expect(screen.getByText('acme/shop')).toBeTruthy();
    expect(screen.getByText('Public')).toBeTruthy();
    expect(screen.getByText('Error')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Deploy App' })).toBeTruthy();
  });

  it('shows the URL and the last deployment of each application, and counts errors', async () => {
    const app = anApp({ name: 'web', status: 'backoff', projectId: shop.id });
    const fake = createFakeClient({ resources: [shop, app] });
    openConsole(`/dashboard/projects/${shop.id}`, fake);
    const visit = await screen.findByRole('link', { name: 'Open in a new tab' });
    expect(visit.getAttribute('href')).toMatch(/^http:\/\/web-[0-9a-f]{12}\.localhost:8080$/);
    expect(screen.getByText('Not deployed yet')).toBeTruthy();
    act(() =>
      fake.showLatestReleases([
        {
          appId: app.id,
          number: 7,
          outcome: 'failed',
          startedAt: '2025-01-01T00:00:00Z',
          endedAt: '2025-01-01T00:01:00Z',
          serving: { release: 6, logName: 'app-1-6', hosts: [] },
        },
      ]),
    );
    expect(screen.getByText('Release 7 failed')).toBeTruthy();
    expect(screen.getByText(/serving release 6$/)).toBeTruthy();
    expect(screen.getByText('1 error')).toBeTruthy();
  });
});
