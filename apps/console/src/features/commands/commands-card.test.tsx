import { act, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createFakeClient } from '../../../test/fake-client.ts';
import { openConsole } from '../../../test/open-console.tsx';
import { anApp, aProject } from '../../../test/resources.ts';

const shop = aProject({ name: 'Shop' });
const app = anApp();

async function openCard() {
  const fake = createFakeClient({ resources: [shop, app] });
  const user = openConsole(`/dashboard/projects/${shop.id}/apps/${app.id}/deployments`, fake);
  const card = within(await screen.findByRole('region', { name: 'Run a command' }));
  return { fake, user, card };
}

it('runs a command, shows that it runs, and how it ended', async () => {
  const { fake, user, card } = await openCard();
  await user.type(card.getByLabelText('Command'), 'node report.js{Enter}');
  expect(await card.findByText('Running')).toBeTruthy();
  expect(card.getByText('node report.js')).toBeTruthy();
  const output = card.getByRole('button', { name: 'Output of command 1' });
  expect(output.getAttribute('aria-expanded')).toBe('true');
  expect(card.getByRole('button', { name: 'Run command' }).getAttribute('aria-disabled')).toBe(
    'true',
  );
  const end = { state: 'failed', exitCode: 3, endedAt: new Date().toISOString() } as const;
  act(() => fake.commands.end(1, end));
  expect(await card.findByText('Failed')).toBeTruthy();
  expect(card.getByText(/^Exit code 3 · /)).toBeTruthy();
  expect(card.queryByRole('button', { name: 'Cancel command 1' })).toBeNull();
});

it('cancels a command', async () => {
  const { user, card } = await openCard();
  await user.type(card.getByLabelText('Command'), 'sleep 100{Enter}');
  await user.click(await card.findByRole('button', { name: 'Cancel command 1' }));
  expect(await card.findByText('Cancelled')).toBeTruthy();
});

it('shows why a command cannot run, and keeps its text', async () => {
  const { fake, user, card } = await openCard();
  await user.click(card.getByRole('button', { name: 'Run command' }));
  expect(await card.findByText('Enter a command')).toBeTruthy();
  fake.commands.fail('Another command of this app is running.');
  await user.type(card.getByLabelText('Command'), 'env{Enter}');
  expect(await card.findByText('Another command of this app is running.')).toBeTruthy();
  expect(card.getByLabelText<HTMLInputElement>('Command').value).toBe('env');
});
