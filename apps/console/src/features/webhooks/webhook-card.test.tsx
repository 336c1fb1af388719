import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createFakeClient, type FakeClient } from '../../../test/fake-client.ts';
import { openConsole } from '../../../test/open-console.tsx';
import { aDelivery, anApp, aProject, aRelease } from '../../../test/resources.ts';

const shop = aProject({ name: 'Shop' });
const app = anApp();

function aBackend() {
  return createFakeClient({ resources: [shop, app] });
}

async function openCard(fake: FakeClient) {
  const user = openConsole(`/dashboard/projects/${shop.id}/apps/${app.id}/settings`, fake);
  const card = within(await screen.findByRole('region', { name: 'Push to deploy' }));
  return { user, card };
}

it('switches push to deploy on and off', async () => {
  const fake = aBackend();
  const { user, card } = await openCard(fake);
  expect(await card.findByText(/Pushes are not deployed automatically/)).toBeTruthy();
  expect(card.queryByText('Deliveries')).toBeNull();
  await user.click(card.getByRole('switch', { name: 'Deploy on push' }));
  expect(await card.findByText(/Every push to main is deployed/)).toBeTruthy();
  expect(card.getByText('No deliveries yet.')).toBeTruthy();
  await user.click(card.getByRole('switch', { name: 'Deploy on push' }));
  await card.findByText(/Pushes are not deployed automatically/);
  expect(fake.webhooks.switched).toEqual([true, false]);
});

it('shows URL and secret for a manual webhook, the secret only when revealed', async () => {
  const fake = aBackend();
  fake.webhooks.set({ webhook: { state: 'manual' } });
  const { user, card } = await openCard(fake);
  expect(await card.findByText('https://console.test/v1/connect/hooks/h1')).toBeTruthy();
  expect(card.queryByText('s3cret')).toBeNull();
  await user.click(card.getByRole('button', { name: 'Show secret' }));
  expect(card.getByText('s3cret')).toBeTruthy();
  await user.click(card.getByRole('button', { name: 'Copy secret' }));
  expect(await navigator.clipboard.readText()).toBe('s3cret');
});

it('shows why the webhook could not be registered', async () => {
  const fake = aBackend();
  fake.webhooks.failRegistration('The token may not add webhooks.');
  const { user, card } = await openCard(fake);
  await user.click(await card.findByRole('switch', { name: 'Deploy on push' }));
  expect((await card.findByRole('status')).textContent).toContain('The token may not add webhooks');
  expect(card.getByText('https://console.test/v1/connect/hooks/h1')).toBeTruthy();
});

it('says that pushes wait after a rollback, and which ones', async () => {
  const fake = aBackend();
  fake.webhooks.set({ webhook: { state: 'registered' } });
  const { card } = await openCard(fake);
  expect(await card.findByText(/Every push to main is deployed/)).toBeTruthy();
  act(() => fake.showReleases([aRelease({ appPin: { release: 1, follows: 'main' } })]));
  const text = 'Paused after a rollback. Pushes to main wait until you resume.';
  expect(card.getByText(text)).toBeTruthy();
  expect(card.queryByText(/is deployed/)).toBeNull();
});

it('says that pushes are not deployed while Source Ref is a commit', async () => {
  const source = { ...app.values.source, ref: 'c'.repeat(40) };
  const fake = createFakeClient({ resources: [shop, anApp({ source })] });
  fake.webhooks.set({ webhook: { state: 'registered' } });
  const { card } = await openCard(fake);
  expect(await card.findByText('Pushes are not deployed: Source Ref is a commit.')).toBeTruthy();
});

it('offers no replay for events other than pushes', async () => {
  const fake = aBackend();
  const deliveries = [aDelivery({ event: 'ping', ref: null, commit: null, outcome: 'ignored' })];
  fake.webhooks.set({ webhook: { state: 'registered' }, deliveries });
  const { card } = await openCard(fake);
  await card.findByRole('listitem');
  expect(card.queryByRole('button', { name: /^Replay/ })).toBeNull();
});

it.each([
  [{ ref: 'refs/heads/main' }, 'push main 3f2a91c'],
  [{ ref: 'refs/tags/v1/rc' }, 'push v1/rc 3f2a91c'],
  [{ ref: 'main', commit: null }, 'push main'],
  [{ event: 'ping', ref: null, commit: null }, 'ping'],
])('the title of the delivery %j is %s', async (delivery, title) => {
  const fake = aBackend();
  fake.webhooks.set({ webhook: { state: 'registered' }, deliveries: [aDelivery(delivery)] });
  const { card } = await openCard(fake);
  expect(await card.findByText(title)).toBeTruthy();
});

it('shows outcome and reason of each delivery, and replays one', async () => {
  const fake = aBackend();
  const ignored = aDelivery({
    id: 'd2',
    ref: 'refs/heads/dev',
    outcome: 'ignored',
    reason: 'This app deploys main, not dev.',
  });
  const refused = aDelivery({ id: 'd3', outcome: 'refused', reason: 'The signature is wrong.' });
  const deliveries = [ignored, aDelivery(), refused];
  fake.webhooks.set({ webhook: { state: 'registered' }, deliveries });
  const { user, card } = await openCard(fake);
  const items = await card.findAllByRole('listitem');
  expect(items.map((delivery) => delivery.textContent)).toEqual([
    expect.stringMatching(/^Ignored.*push dev 3f2a91cThis app deploys main, not dev\./),
    expect.stringMatching(/^Deployed.*push main 3f2a91cThe branch main/),
    expect.stringMatching(/^Rejected.*The signature is wrong\.$/),
  ]);
  await user.click(card.getByRole('button', { name: 'Replay push dev 3f2a91c' }));
  await waitFor(() => expect(card.getAllByRole('listitem')).toHaveLength(4));
  expect(fake.webhooks.replayed).toEqual(['d2']);
  expect(card.getAllByRole('listitem')[0]?.textContent).toContain('replay');
});

it('shows a delivery when it arrives', async () => {
  const fake = aBackend();
  fake.webhooks.set({ webhook: { state: 'registered' } });
  const { card } = await openCard(fake);
  await card.findByText('No deliveries yet.');
  act(() => fake.webhooks.set({ deliveries: [aDelivery()] }));
  expect(card.getByRole('listitem')).toBeTruthy();
  act(() => fake.webhooks.set({ deliveries: [aDelivery({ id: 'd2' }), aDelivery()] }));
  expect(card.getAllByRole('listitem')).toHaveLength(2);
});

it('reports failed loading and switching', async () => {
  const fake = aBackend();
  fake.webhooks.set({ webhook: { state: 'registered' }, deliveries: [aDelivery()] });
  fake.webhooks.failRequests('The server is down');
  const { user, card } = await openCard(fake);
  expect((await card.findByRole('alert')).textContent).toContain('The server is down');
  fake.webhooks.failRequests(undefined);
  await user.click(card.getByRole('button', { name: 'Try again' }));
  await card.findByRole('listitem');
  fake.webhooks.failRequests('The access token has expired');
  await user.click(card.getByRole('switch', { name: 'Deploy on push' }));
  expect(await screen.findByText('Could not change push to deploy')).toBeTruthy();
});

it('is hidden for an app from an image', async () => {
  const source = { ...app.values.source, enabled: false };
  const fake = createFakeClient({ resources: [shop, anApp({ source })] });
  openConsole(`/dashboard/projects/${shop.id}/apps/${app.id}/settings`, fake);
  await screen.findByRole('region', { name: 'Danger zone' });
  expect(screen.queryByRole('region', { name: 'Push to deploy' })).toBeNull();
});
