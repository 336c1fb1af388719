import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { createFakeClient, type FakeClient } from '../../../test/fake-client.ts';
import { openConsole } from '../../../test/open-console.tsx';
import {
  anAccountUsage,
  anApp,
  anIsolationStatus,
  aProject,
  aUser,
} from '../../../test/resources.ts';

const shop = aProject({ name: 'Shop' });
const projectPath = `/dashboard/projects/${shop.id}`;

async function openConfigure(fake: FakeClient) {
  const user = openConsole(projectPath, fake);
  await user.click(await screen.findByRole('button', { name: 'Deploy App' }));
  await user.click(await screen.findByRole('button', { name: /^Manual deployment/ }));
  return user;
}

describe('a new app that the server would refuse', () => {
  it('is announced to an anonymous user before the form is filled in', async () => {
    const auth = { kind: 'signed-in', user: aUser({ isAnonymous: true }) } as const;
    openConsole(projectPath, createFakeClient({ auth, resources: [shop] }));
    expect(await screen.findByText('Anonymous users cannot deploy apps.')).toBeTruthy();
  });

  it('is announced when the limit of apps is reached, until an app is deleted', async () => {
    const fake = createFakeClient({ resources: [shop, anApp()] });
    fake.setUsage(anAccountUsage({ apps: { used: 1, limit: 1 } }));
    const user = openConsole(projectPath, fake);
    await user.click(await screen.findByRole('button', { name: 'Deploy App' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Deploy App' }));
    expect(await dialog.findByText('You have 1 of 1 apps.')).toBeTruthy();
    fake.setUsage(anAccountUsage({ apps: { used: 0, limit: 1 } }));
    act(() => fake.showResources([shop, anApp({ status: 'syncing' })]));
    await waitFor(() => expect(dialog.queryByText('You have 1 of 1 apps.')).toBeNull());
  });
});

it('sends the advanced settings that were typed', async () => {
  const fake = createFakeClient({ resources: [shop] });
  const user = await openConfigure(fake);
  await user.type(await screen.findByLabelText('Source URL'), 'https://example.com/a.git');
  await user.type(screen.getByLabelText('Application Name'), 'web');
  await user.click(screen.getByText('Advanced'));
  await user.type(screen.getByLabelText('Root directory'), '../web');
  await user.click(screen.getByRole('button', { name: 'Deploy' }));
  expect((await screen.findByText('Must not contain ..')).closest('details')?.open).toBe(true);
  expect(fake.sent).toEqual([]);
  await user.clear(screen.getByLabelText('Root directory'));
  await user.type(screen.getByLabelText('Root directory'), 'apps/web');
  await user.type(screen.getByLabelText('Start command'), 'node a.js');
  await user.click(screen.getByRole('button', { name: 'Deploy' }));
  await waitFor(() =>
    expect(fake.sent).toMatchObject([
      { values: { build: { rootDirectory: 'apps/web' }, run: { command: 'node a.js' } } },
    ]),
  );
});

it('asks for a start command of an image, and for nothing that is built', async () => {
  const user = await openConfigure(createFakeClient({ resources: [shop] }));
  await user.click(await screen.findByRole('radio', { name: 'Container image' }));
  await user.click(screen.getByText('Advanced'));
  expect(screen.getByLabelText('Start command')).toBeTruthy();
  expect(screen.queryByLabelText('Build command')).toBeNull();
});

describe('an account that may not deploy', () => {
  const isolation = anIsolationStatus({
    mayDeploy: false,
    isOperator: false,
    installCommand: null,
  });

  it.each([
    ['on the page of an empty project', [shop]],
    ['in the dialog', [shop, anApp({ projectId: shop.id })]],
  ])('reads why before it fills in the form, %s', async (_, resources) => {
    const user = openConsole(projectPath, createFakeClient({ resources, isolation }));
    await user.click(await screen.findByRole('button', { name: 'Deploy App' }));
    expect((await screen.findAllByText('You cannot deploy on this server')).length).toBe(1);
    expect(screen.getByText(/^Only operators may deploy/)).toBeTruthy();
    expect(screen.getByRole('listitem').textContent).toBe(isolation.missing[0]);
    expect(screen.queryByRole('button', { name: /^Manual deployment/ })).toBeNull();
  });
});

describe('deploying an app', () => {
  it('from a git URL sends the specified values and opens the app', async () => {
    const fake = createFakeClient({ resources: [shop] });
    const user = await openConfigure(fake);
    await user.type(screen.getByLabelText('Source URL'), 'https://github.com/acme/shop');
    await user.type(screen.getByLabelText('Application Name'), 'web');
    await user.clear(screen.getByLabelText('Port'));
    await user.type(screen.getByLabelText('Port'), '3000');
    await user.type(screen.getByLabelText('Key 1'), 'GREETING');
    await user.type(screen.getByLabelText('Value 1'), 'hello');
    await user.click(screen.getByRole('button', { name: 'Deploy' }));
    expect(await screen.findByRole('heading', { name: /^web/ })).toBeTruthy();
    expect(window.location.pathname).toBe(`${projectPath}/apps/new-1`);
    expect(fake.sent).toEqual([
      {
        values: {
          name: 'web',
          projectId: shop.id,
          resourceTier: 't1',
          ports: [{ number: 3000, expose: true }],
          publicAccess: { enabled: true, domain: 'auto', baseDomain: 'localhost' },
          container: { image: 'nginx:latest', updatePolicy: 'Always', pullSecretName: '' },
          source: {
            enabled: true,
            url: 'https://github.com/acme/shop',
            ref: 'main',
            secretName: '',
          },
          env: { GREETING: 'hello' },
          instances: 1,
        },
      },
    ]);
    expect(localStorage.getItem('deployDraft')).toBeNull();
  });

  it('with sleep when idle sends the number of minutes', async () => {
    const fake = createFakeClient({ resources: [shop] });
    const user = await openConfigure(fake);
    await user.type(screen.getByLabelText('Source URL'), 'https://github.com/acme/shop');
    await user.type(screen.getByLabelText('Application Name'), 'web');
    await user.click(screen.getByLabelText('Sleep when idle'));
    await user.clear(screen.getByLabelText('Idle minutes'));
    await user.click(screen.getByRole('button', { name: 'Deploy' }));
    expect(await screen.findByText(/whole number of minutes between 1 and 1440/)).toBeTruthy();
    expect(fake.sent).toEqual([]);
    await user.type(screen.getByLabelText('Idle minutes'), '30');
    await user.click(screen.getByRole('button', { name: 'Deploy' }));
    await waitFor(() =>
      expect(fake.sent).toMatchObject([{ values: { sleep: { afterMinutes: 30 } } }]),
    );
  });

  it('with an empty form shows the problems and sends nothing', async () => {
    const fake = createFakeClient({ resources: [shop] });
    const user = await openConfigure(fake);
    await user.click(screen.getByRole('button', { name: 'Deploy' }));
    expect(await screen.findByText('Validation Error')).toBeTruthy();
    expect(screen.getByText('Please fix the errors in the form')).toBeTruthy();
    expect(screen.getByText('Source URL is required')).toBeTruthy();
    expect(screen.getByText('Application name is required')).toBeTruthy();
    expect(fake.sent).toEqual([]);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Source URL')));
  });

  it('rejected by the server keeps every field and shows the message', async () => {
    const fake = createFakeClient({ resources: [shop] });
    fake.failRequests('Source URL is not allowed');
    const user = await openConfigure(fake);
    await user.type(screen.getByLabelText('Source URL'), 'https://github.com/acme/shop');
    await user.type(screen.getByLabelText('Application Name'), 'web');
    await user.click(screen.getByRole('button', { name: 'Deploy' }));
    expect(await screen.findByText('Deployment failed')).toBeTruthy();
    expect(screen.getAllByText('Source URL is not allowed').length).toBeGreaterThan(0);
    expect(screen.getByLabelText<HTMLInputElement>('Application Name').value).toBe('web');
  });

  it('keeps a draft after closing the dialog, until it is reset', async () => {
    const user = await openConfigure(createFakeClient({ resources: [shop] }));
    await user.type(screen.getByLabelText('Application Name'), 'web');
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Deploy App' }));
    expect((await screen.findByLabelText<HTMLInputElement>('Application Name')).value).toBe('web');
    await user.click(screen.getByRole('button', { name: 'Reset' }));
    await user.click(await screen.findByRole('button', { name: /^Manual deployment/ }));
    expect(screen.getByLabelText<HTMLInputElement>('Application Name').value).toBe('');
  });

  it('is reset when another tab deploys or resets the same draft', async () => {
    const user = await openConfigure(createFakeClient({ resources: [shop] }));
    await user.type(screen.getByLabelText('Application Name'), 'web');
    const oldValue = localStorage.getItem('deployDraft');
    const cleared = { key: 'deployDraft', oldValue, newValue: null };
    const otherProject = oldValue?.replace(shop.id, 'other') ?? null;
    fireEvent(window, new StorageEvent('storage', { ...cleared, oldValue: otherProject }));
    expect(screen.getByLabelText<HTMLInputElement>('Application Name').value).toBe('web');
    fireEvent(window, new StorageEvent('storage', cleared));
    expect(await screen.findByRole('button', { name: /^Manual deployment/ })).toBeTruthy();
    expect(localStorage.getItem('deployDraft')).toBeNull();
  });

  it('goes back from configure to the first step in manual mode', async () => {
    const user = await openConfigure(createFakeClient({ resources: [shop] }));
    await user.click(screen.getByRole('button', { name: 'Back' }));
    expect(await screen.findByRole('button', { name: /^Manual deployment/ })).toBeTruthy();
  });

  it('focuses the first control of each step', async () => {
    const user = openConsole(projectPath, createFakeClient({ resources: [shop] }));
    await user.click(await screen.findByRole('button', { name: 'Deploy App' }));
    const choice = await screen.findByRole('button', { name: /^Manual deployment/ });
    expect(document.activeElement).toBe(choice);
    await user.keyboard('{Enter}');
    expect(document.activeElement).toBe(await screen.findByLabelText('Source URL'));
  });

  it('advances only one step on a double click', async () => {
    const user = openConsole(projectPath, createFakeClient({ resources: [shop] }));
    await user.click(await screen.findByRole('button', { name: 'Deploy App' }));
    const choice = await screen.findByRole('button', { name: /^Manual deployment/ });
    fireEvent.click(choice, { detail: 1 });
    fireEvent.click(screen.getByRole('radio', { name: 'Container image' }), { detail: 2 });
    expect(screen.getByLabelText('Source URL')).toBeTruthy();
    fireEvent.click(screen.getByRole('radio', { name: 'Container image' }), { detail: 1 });
    expect(screen.getByLabelText('Container Image')).toBeTruthy();
  });

  it('sends only one request if the button is clicked repeatedly', async () => {
    const fake = createFakeClient({ resources: [shop] });
    const user = await openConfigure(fake);
    await user.type(screen.getByLabelText('Source URL'), 'https://github.com/acme/shop');
    await user.type(screen.getByLabelText('Application Name'), 'web');
    const deploy = screen.getByRole('button', { name: 'Deploy' });
    fireEvent.click(deploy);
    await waitFor(() => expect(fake.sent).toHaveLength(1));
    fireEvent.click(deploy);
    await screen.findByRole('heading', { name: /^web/ });
    expect(fake.sent).toHaveLength(1);
  });

  it('shows a name that another app has at its field', async () => {
    const fake = createFakeClient({ resources: [shop] });
    const user = await openConfigure(fake);
    fake.failRequests('values.name: Another app of this project already has this name');
    await user.type(screen.getByLabelText('Source URL'), 'https://github.com/acme/shop');
    await user.type(screen.getByLabelText('Application Name'), 'web');
    await user.click(screen.getByRole('button', { name: 'Deploy' }));
    expect(await screen.findByText('Validation Error')).toBeTruthy();
    const name = screen.getByLabelText('Application Name');
    expect(name.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText('Another app of this project already has this name')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(name));
  });

  it('focuses a new row, and the row next to a removed one', async () => {
    const user = await openConfigure(createFakeClient({ resources: [shop] }));
    await user.click(screen.getByRole('button', { name: 'Add variable' }));
    expect(document.activeElement).toBe(screen.getByLabelText('Key 2'));
    await user.click(screen.getByRole('button', { name: 'Remove variable 2' }));
    expect(document.activeElement).toBe(screen.getByLabelText('Key 1'));
    await user.click(screen.getByRole('button', { name: 'Remove variable 1' }));
    expect(document.activeElement).toBe(screen.getByLabelText('Key 1'));
    await user.paste('A=1\nB=2');
    expect(document.activeElement).toBe(screen.getByLabelText('Key 2'));
  });

  it('fills the variables from a pasted .env file', async () => {
    const user = await openConfigure(createFakeClient({ resources: [shop] }));
    await user.click(screen.getByLabelText('Key 1'));
    await user.paste('A=1\nB="two words"');
    expect(screen.getByLabelText<HTMLInputElement>('Key 2').value).toBe('B');
    expect(screen.getByLabelText<HTMLInputElement>('Value 2').value).toBe('two words');
  });

  it('refuses a pasted PORT at its row', async () => {
    const fake = createFakeClient({ resources: [shop] });
    const user = await openConfigure(fake);
    await user.click(screen.getByLabelText('Key 1'));
    await user.paste('A=1\nPORT=3000');
    await user.click(screen.getByRole('button', { name: 'Deploy' }));
    const key = screen.getByLabelText('Key 2');
    expect(key.getAttribute('aria-invalid')).toBe('true');
    const note = document.getElementById(key.getAttribute('aria-describedby') ?? '');
    expect(note?.textContent).toBe('Use the port setting');
    expect(fake.sent).toEqual([]);
  });
});

describe('the first app of a project', () => {
  const region = { name: 'Deploy your first app' };

  it('is deployed on the project page', async () => {
    const fake = createFakeClient({ resources: [shop] });
    const user = openConsole(projectPath, fake);
    await user.click(await screen.findByRole('button', { name: 'Choose repository' }));
    const inline = within(await screen.findByRole('region', region));
    expect(inline.getByText('Step 1 of 3 · Choose a source')).toBeTruthy();
    await user.click(inline.getByRole('button', { name: /^Manual deployment/ }));
    await user.type(inline.getByLabelText('Source URL'), 'https://github.com/acme/shop');
    await user.type(inline.getByLabelText('Application Name'), 'web');
    await user.click(inline.getByRole('button', { name: 'Deploy' }));
    expect(await screen.findByRole('heading', { name: /^web/ })).toBeTruthy();
    expect(window.location.pathname).toBe(`${projectPath}/apps/new-1`);
    expect(fake.sent).toHaveLength(1);
    expect(localStorage.getItem('deployDraft')).toBeNull();
  });

  it.each([
    ['Choose repository', 'button', /^Manual deployment/],
    ['Choose image', 'textbox', 'Container Image'],
    ['Upload it', 'textbox', 'Application Name'],
  ])('%s takes the focus to the wizard', async (name, role, control) => {
    const user = openConsole(projectPath, createFakeClient({ resources: [shop] }));
    await user.click(await screen.findByRole('button', { name }));
    const inline = within(await screen.findByRole('region', region));
    expect(document.activeElement).toBe(inline.getByRole(role, { name: control }));
  });

  it('continues a stored draft without taking the focus', async () => {
    const fake = createFakeClient({ resources: [shop] });
    const user = openConsole(projectPath, fake);
    await user.click(await screen.findByRole('button', { name: 'Choose image' }));
    await user.type(screen.getByLabelText('Application Name'), 'web');
    cleanup();
    openConsole(projectPath, fake);
    expect((await screen.findByLabelText<HTMLInputElement>('Application Name')).value).toBe('web');
    expect(document.activeElement).toBe(document.body);
  });

  it('waits for an upload', async () => {
    const fake = createFakeClient({ resources: [shop] });
    const user = openConsole(projectPath, fake);
    await user.click(await screen.findByRole('button', { name: 'Upload it' }));
    await user.type(screen.getByLabelText('Application Name'), 'web');
    await user.click(screen.getByRole('button', { name: 'Deploy' }));
    expect(
      await screen.findByText(/^tar -cz \. \| curl .*\/v1\/apps\/new-1\/source$/),
    ).toBeTruthy();
    expect(fake.sent[0]?.values).toMatchObject({
      instances: 0,
      source: { enabled: true, url: 'upload:', ref: 'main' },
    });
    const archive = new File(['archive'], 'web.tar.gz');
    fake.failUploads('a is a hard link');
    await user.upload(screen.getByLabelText('Choose archive'), archive);
    expect(await screen.findByText('Upload failed: a is a hard link')).toBeTruthy();
  });

  it('is the sample app', async () => {
    const fake = createFakeClient({ resources: [shop] });
    const user = openConsole(projectPath, fake);
    await user.click(await screen.findByRole('button', { name: 'Deploy sample app' }));
    expect(await screen.findByRole('heading', { name: /^sample/ })).toBeTruthy();
    expect(fake.sent[0]?.values).toMatchObject({ name: 'sample', ports: [{ number: 3000 }] });
    expect(fake.uploads).toEqual([{ appId: 'new-1', bytes: 0 }]);
  });

  it('says why the sample app cannot be deployed', async () => {
    const fake = createFakeClient({ resources: [shop] });
    const user = openConsole(projectPath, fake);
    fake.failRequests('App limit reached');
    await user.click(await screen.findByRole('button', { name: 'Deploy sample app' }));
    expect(await screen.findByText('App limit reached')).toBeTruthy();
    expect(fake.uploads).toEqual([]);
  });

  it('shares one draft between page and dialog', async () => {
    const user = openConsole(projectPath, createFakeClient({ resources: [shop] }));
    await user.click(await screen.findByRole('button', { name: 'Choose repository' }));
    await user.click(await screen.findByRole('button', { name: /^Manual deployment/ }));
    await user.type(screen.getByLabelText('Application Name'), 'web');
    await user.click(screen.getByRole('button', { name: 'Deploy App' }));
    const name = await screen.findByLabelText<HTMLInputElement>('Application Name');
    expect(screen.getByRole('dialog').contains(name)).toBe(true);
    expect(name.value).toBe('web');
    await user.type(name, '-shop');
    await user.keyboard('{Escape}');
    const inlineName = await screen.findByLabelText<HTMLInputElement>('Application Name');
    expect(screen.getByRole('region', region).contains(inlineName)).toBe(true);
    expect(inlineName.value).toBe('web-shop');
  });

  it('does not use the draft of another project', async () => {
    const blog = aProject({ id: 'p2', name: 'Blog' });
    const user = openConsole(projectPath, createFakeClient({ resources: [shop, blog] }));
    await user.click(await screen.findByRole('button', { name: 'Choose repository' }));
    await user.click(await screen.findByRole('button', { name: /^Manual deployment/ }));
    await user.type(screen.getByLabelText('Application Name'), 'web');
    const draft = localStorage.getItem('deployDraft');
    act(() => {
      window.history.pushState(null, '', `/dashboard/projects/${blog.id}`);
      window.dispatchEvent(new PopStateEvent('popstate'));
    });
    await screen.findByRole('heading', { name: 'Blog' });
    expect(screen.getByRole('button', { name: 'Choose repository' })).toBeTruthy();
    expect(localStorage.getItem('deployDraft')).toBe(draft);
  });

  it('hides the inline wizard once the project has an app', async () => {
    const app = anApp({ projectId: shop.id });
    openConsole(projectPath, createFakeClient({ resources: [shop, app] }));
    await screen.findByRole('link', { name: /shop/ });
    expect(screen.queryByRole('region', region)).toBeNull();
  });
});
