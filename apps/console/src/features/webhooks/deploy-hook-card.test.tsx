import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createFakeClient, type FakeClient } from '../../../test/fake-client.ts';
import { openConsole } from '../../../test/open-console.tsx';
import { anApp, aProject } from '../../../test/resources.ts';

const URL = 'https://console.test/v1/connect/deploy-hooks/a1?key=';
const shop = aProject({ name: 'Shop' });
const app = anApp();

async function openCard(fake: FakeClient = createFakeClient({ resources: [shop, app] })) {
  const user = openConsole(`/dashboard/projects/${shop.id}/apps/${app.id}/settings`, fake);
  const card = within(await screen.findByRole('region', { name: 'Deploy hook' }));
  const confirm = async (title: string, name: string) => {
    const question = within(await screen.findByRole('alertdialog', { name: title }));
    await user.click(question.getByRole('button', { name }));
  };
  return { fake, user, card, confirm };
}

it('creates a deploy hook, and shows its URL only when it is revealed', async () => {
  const { user, card } = await openCard();
  await user.click(await card.findByRole('button', { name: 'Create deploy hook' }));
  expect(await card.findByText(`${URL}••••••••`)).toBeTruthy();
  await user.click(card.getByRole('button', { name: 'Copy deploy hook URL' }));
  expect(await navigator.clipboard.readText()).toBe(`${URL}k1`);
  await user.click(card.getByRole('button', { name: 'Show URL' }));
  expect(card.getByText(`${URL}k1`)).toBeTruthy();
  await user.click(card.getByRole('button', { name: 'Hide URL' }));
  expect(card.queryByText(`${URL}k1`)).toBeNull();
});

it('replaces and removes it after a question', async () => {
  const { user, card, confirm } = await openCard();
  await user.click(await card.findByRole('button', { name: 'Create deploy hook' }));
  await user.click(await card.findByRole('button', { name: 'Show URL' }));
  await user.click(card.getByRole('button', { name: 'Replace URL' }));
  await confirm('Replace the deploy hook URL?', 'Cancel');
  expect(card.getByText(`${URL}k1`)).toBeTruthy();
  await user.click(card.getByRole('button', { name: 'Replace URL' }));
  await confirm('Replace the deploy hook URL?', 'Replace');
  expect(await card.findByText(`${URL}k2`)).toBeTruthy();
  await user.click(card.getByRole('button', { name: 'Remove hook' }));
  await confirm('Remove the deploy hook?', 'Remove');
  expect(await card.findByRole('button', { name: 'Create deploy hook' })).toBeTruthy();
});

it('reports failed loading and creating', async () => {
  const fake = createFakeClient({ resources: [shop, app] });
  fake.webhooks.failRequests('The server is down');
  const { user, card } = await openCard(fake);
  expect((await card.findByRole('alert')).textContent).toContain('The server is down');
  fake.webhooks.failRequests(undefined);
  await user.click(card.getByRole('button', { name: 'Try again' }));
  const create = await card.findByRole('button', { name: 'Create deploy hook' });
  fake.webhooks.failRequests('The access token has expired');
  await user.click(create);
  expect(await screen.findByText('Could not create the deploy hook')).toBeTruthy();
});
