import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createFakeClient } from '../../../test/fake-client.ts';
import { openConsole } from '../../../test/open-console.tsx';
import { anIsolationStatus } from '../../../test/resources.ts';

const TITLE = 'Apps are not isolated';

async function openProjects(isolation: ReturnType<typeof anIsolationStatus>) {
  openConsole('/dashboard/projects', createFakeClient({ resources: [], isolation }));
  await screen.findByRole('heading', { name: 'No projects yet' });
}

it('shows the operator what is missing, who may deploy, and the command that installs it', async () => {
  await openProjects(anIsolationStatus());
  const title = await screen.findByText(TITLE);
  const notice = within(title.parentElement ?? document.body);
  expect(notice.getByText(/^Only you can deploy\./)).toBeTruthy();
  expect(notice.getByRole('listitem').textContent).toBe(
    'bwrap is missing: install the package bubblewrap.',
  );
  expect(notice.getByText('apt-get install bubblewrap')).toBeTruthy();
  expect(notice.getByRole('button', { name: 'Copy the command' })).toBeTruthy();
});

it('has no command if no program is missing', async () => {
  const missing = ['Longshore does not run as root.'];
  await openProjects(anIsolationStatus({ missing, installCommand: null }));
  expect(await screen.findByText('Longshore does not run as root.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Copy the command' })).toBeNull();
});

it('warns the operator of apps that can read the secrets of others', async () => {
  await openProjects(anIsolationStatus({ whoMayDeploy: 'everybody' }));
  expect(await screen.findByText(/can read the secrets of all others/)).toBeTruthy();
});

it.each([
  ['where apps are isolated', { missing: [], installCommand: null }],
  ['to other accounts', { isOperator: false, mayDeploy: false }],
])('is not shown %s', async (_, changes) => {
  await openProjects(anIsolationStatus(changes));
  expect(screen.queryByText(TITLE)).toBeNull();
});
