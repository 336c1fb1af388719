import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createFakeClient } from '../../../test/fake-client.ts';
import { openConsole } from '../../../test/open-console.tsx';
import { anApp, aProject, aRelease } from '../../../test/resources.ts';

const shop = aProject({ name: 'Shop' });
const app = anApp({ env: { GREETING: 'hello', TOKEN: 's3cret' } });
const PATH = `/dashboard/projects/${shop.id}/apps/${app.id}/variables`;
const LATER = '2025-01-01T00:00:09Z';

async function openVariables(shown = app) {
  const fake = createFakeClient({ resources: [shop, shown] });
  const user = openConsole(PATH, fake);
  const card = within(await screen.findByRole('region', { name: 'Variables' }));
  act(() => fake.showReleases([aRelease()]));
  return { fake, user, card };
}

const save = () => screen.queryByRole('button', { name: 'Save changes' });

it('masks values, and offers nothing to save before something changed', async () => {
  const { user, card } = await openVariables();
  expect(card.getByLabelText('Value 2').getAttribute('type')).toBe('password');
  expect(save()).toBeNull();
  await user.click(card.getByRole('button', { name: 'Show values' }));
  expect(card.getByLabelText('Value 2').getAttribute('type')).toBe('text');
});

it('says what saving causes before and after, and saves in place', async () => {
  const { fake, user, card } = await openVariables();
  await user.clear(card.getByLabelText('Value 1'));
  await user.type(card.getByLabelText('Value 1'), 'ahoy');
  await user.click(card.getByRole('button', { name: 'Remove variable 2' }));
  expect(screen.getByText(/^Restarts the app without a rebuild\./)).toBeTruthy();
  expect(screen.getByText('GREETING changed, TOKEN removed')).toBeTruthy();
  expect(card.getByText('changed')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(await screen.findByText('Saved. The app restarts without a rebuild.')).toBeTruthy();
  expect(fake.sent).toEqual([
    { appId: app.id, values: { ...app.values, env: { GREETING: 'ahoy' } } },
  ]);
  expect(window.location.pathname).toBe(PATH);
  expect(save()).toBeNull();
  act(() =>
    fake.showResources([
      shop,
      anApp({ env: { GREETING: 'ahoy' }, status: 'syncing', updatedAt: LATER }),
    ]),
  );
  expect(card.getByLabelText('Value 1')).toHaveProperty('value', 'ahoy');
  expect(save()).toBeNull();
});

it('fills rows from a pasted .env file and names replaced variables', async () => {
  const { user, card } = await openVariables();
  await user.click(card.getByRole('button', { name: 'Paste .env' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Paste .env' }));
  await user.click(dialog.getByRole('button', { name: 'Fill rows' }));
  expect(dialog.getByText('No KEY=value found.')).toBeTruthy();
  await user.click(dialog.getByLabelText('Content of the .env file'));
  await user.paste('# a comment\nGREETING=ahoy\nexport LOG_LEVEL="info"');
  await user.click(dialog.getByRole('button', { name: 'Fill rows' }));
  expect(card.getByText('1 variable added. New value of: GREETING.')).toBeTruthy();
  expect(screen.getByText('GREETING changed, LOG_LEVEL added')).toBeTruthy();
});

it('saves nothing invalid', async () => {
  const { fake, user, card } = await openVariables();
  await user.clear(card.getByLabelText('Key 1'));
  await user.type(card.getByLabelText('Key 1'), '1st');
  expect(screen.getByText('Fix the highlighted fields.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(fake.sent).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  expect(card.getByLabelText('Key 1')).toHaveProperty('value', 'GREETING');
});

it('does not overwrite variables that were changed elsewhere in the meantime', async () => {
  const { fake, user, card } = await openVariables();
  await user.type(card.getByLabelText('Value 1'), '!');
  act(() => fake.showResources([shop, anApp({ env: { GREETING: 'moin' }, updatedAt: LATER })]));
  expect(screen.getByText(/changed elsewhere in the meantime/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(fake.sent).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  expect(card.getByLabelText('Value 1')).toHaveProperty('value', 'moin');
});

it('keeps edits when another setting changes, and saves both', async () => {
  const { fake, user, card } = await openVariables();
  await user.type(card.getByLabelText('Value 1'), '!');
  const renamed = anApp({ ...app.values, name: 'store', updatedAt: LATER });
  act(() => fake.showResources([shop, renamed]));
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(fake.sent).toHaveLength(1));
  expect(fake.sent[0]?.values).toEqual({
    ...renamed.values,
    env: { ...app.values.env, GREETING: 'hello!' },
  });
});

it('keeps what was entered when the server refuses it, and says why', async () => {
  const { fake, user, card } = await openVariables();
  await user.type(card.getByLabelText('Value 1'), '!');
  fake.failRequests('Not now');
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect((await screen.findAllByText('Not now')).length).toBeGreaterThan(0);
  expect(card.getByLabelText('Value 1')).toHaveProperty('value', 'hello!');
});

it('cannot be saved while the app updates', async () => {
  const { fake, user, card } = await openVariables(anApp({ status: 'syncing' }));
  await user.type(card.getByLabelText('Value 1'), '!');
  expect(save()?.getAttribute('aria-disabled')).toBe('true');
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(fake.sent).toEqual([]);
});

it('asks before a link discards unsaved variables', async () => {
  const { user, card } = await openVariables();
  await user.type(card.getByLabelText('Value 1'), '!');
  await user.click(screen.getByRole('link', { name: 'Overview' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Discard changes?' }));
  await user.click(question.getByRole('button', { name: 'Cancel' }));
  expect(window.location.pathname).toBe(PATH);
  expect(card.getByLabelText('Value 1')).toHaveProperty('value', 'hello!');
  await user.click(screen.getByRole('link', { name: 'Overview' }));
  await user.click(
    within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Discard' }),
  );
  await screen.findByRole('region', { name: 'Configuration' });
  expect(window.location.pathname).toBe(PATH.replace('/variables', ''));
});

it('adds a reference to another app of the project, and says what it refers to', async () => {
  const api = anApp({ id: 'a0000000-0000-4000-8000-000000000001', name: 'api', env: { KEY: 'x' } });
  const fake = createFakeClient({ resources: [shop, app, api] });
  const user = openConsole(PATH, fake);
  const card = within(await screen.findByRole('region', { name: 'Variables' }));
  await user.click(card.getByRole('button', { name: 'Add reference' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add reference' }));
  await user.selectOptions(dialog.getByLabelText('Variable'), 'KEY');
  expect(dialog.getByText('${{api.KEY}}')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Add variable' }));
  expect(card.getByLabelText('Key 3')).toHaveProperty('value', 'API_KEY');
  expect(card.getByLabelText('Value 3')).toHaveProperty('value', '${{api.KEY}}');
  expect(card.getByText(/^Refers to KEY of api\. Read when this app starts/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(fake.sent).toHaveLength(1));
  expect(fake.sent[0]?.values?.env).toMatchObject({ API_KEY: '${{api.KEY}}' });
});

it('shows at the variable which reference the server refused', async () => {
  const { fake, user, card } = await openVariables();
  await user.type(card.getByLabelText('Value 1'), '{{}{{}gone');
  expect(card.queryByRole('button', { name: 'Add reference' })).toBeNull();
  fake.failRequests('values.env.GREETING: ${{gone.URL}}: The project has no app gone');
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  expect(await card.findByText('${{gone.URL}}: The project has no app gone')).toBeTruthy();
});
