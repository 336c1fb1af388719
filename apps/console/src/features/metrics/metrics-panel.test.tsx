import type { AppMetrics, UsageRow } from '@longshore/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createFakeClient } from '../../../test/fake-client.ts';
import { openConsole } from '../../../test/open-console.tsx';
import { anApp, aProject, aRelease } from '../../../test/resources.ts';

const shop = aProject({ name: 'Shop' });
const app = anApp();
const PATH = `/dashboard/projects/${shop.id}/apps/${app.id}`;
const MIB = 1024 ** 2;
const MINUTE_MS = 60_000;

/** The last ten whole minutes. */
function minutes(): number[] {
  const last = Math.floor((Date.now() - 20_000) / MINUTE_MS) * MINUTE_MS - MINUTE_MS;
  return Array.from({ length: 10 }, (_, index) => last - (9 - index) * MINUTE_MS);
}

function usageAt(at: number, change: Partial<UsageRow> = {}): UsageRow {
  return {
    at,
    instance: '1',
    coveredMs: MINUTE_MS,
    cpuMs: 15_000,
    memoryBytes: 200 * MIB,
    receivedBytes: 60_000,
    sentBytes: 120_000,
    diskBytes: 30 * MIB,
    ...change,
  };
}

function metrics(change: Partial<AppMetrics> = {}): AppMetrics {
  return {
    usage: minutes().map((at) => usageAt(at)),
    traffic: minutes().map((at) => ({ at, statuses: [0, 90, 0, 8, 2], latencies: [50, 50] })),
    ...change,
  };
}

function open(loaded: AppMetrics, resource = app, tab = '/metrics') {
  const fake = createFakeClient({ resources: [shop, resource] });
  fake.setMetrics(loaded);
  return { fake, user: openConsole(PATH + tab, fake) };
}

it('shows each metric now, with its limit', async () => {
  open(metrics());
  const cpu = within(await screen.findByRole('figure', { name: 'CPU' }));
  expect(cpu.getByText('0.25')).toBeTruthy();
  expect(cpu.getByText(/of 0\.5 CPU now · peak 0\.25/)).toBeTruthy();
  expect(cpu.getByText(/^Limit/).textContent).toBe('Limit0.5 CPU');
  const titles = screen.getAllByRole('figure').map((each) => within(each).getByRole('heading'));
  expect(titles.map(({ textContent }) => textContent)).toEqual([
    ...['CPU', 'Memory', 'Requests', 'Errors', 'Response time', 'Network', 'Disk'],
  ]);
});

it('reads values by arrow keys, at the same time in all charts', async () => {
  const { user } = open(metrics());
  const cpu = await screen.findByRole('figure', { name: 'CPU' });
  within(cpu)
    .getByRole('group', { name: /arrow keys/ })
    .focus();
  await user.keyboard('{ArrowLeft}');
  expect(within(cpu).getByRole('status').textContent).toMatch(/\d\d:\d\dInstance 1 0\.25 CPU/);
  const requests = within(screen.getByRole('figure', { name: 'Requests' }));
  expect(requests.getByRole('status').textContent).toMatch(/All 100 \/min/);
  await user.keyboard('{Home}');
  expect(within(cpu).getByRole('status').textContent).toMatch(/Instance 1 no data/);
  await user.keyboard('{Escape}');
  expect(within(cpu).queryByRole('status')).toBeNull();
});

it('offers each chart as a table', async () => {
  const { user } = open(metrics());
  const memory = within(await screen.findByRole('figure', { name: 'Memory' }));
  await user.click(memory.getByText('Table'));
  const table = within(memory.getByRole('region', { name: 'Memory as a table' }));
  expect(table.getByRole('columnheader', { name: 'Instance 1' })).toBeTruthy();
  expect(table.getAllByText('200 MiB').length).toBeGreaterThan(1);
  expect(table.getAllByText('no data').length).toBeGreaterThan(1);
});

it('asks for the chosen time range', async () => {
  const { fake, user } = open(metrics());
  await user.click(await screen.findByRole('radio', { name: '7 d' }));
  await waitFor(() => expect(fake.metricsQueries.at(-1)?.step).toBe(15));
  const { appId, from } = fake.metricsQueries.at(-1) ?? {};
  expect(appId).toBe(app.id);
  const days = (Date.now() - (from?.getTime() ?? 0)) / 86_400_000;
  expect(days).toBeGreaterThan(6.9);
  expect(days).toBeLessThan(7.1);
});

it('shows one of several instances alone', async () => {
  const both = minutes().flatMap((at) => [
    usageAt(at),
    usageAt(at, { instance: '2', cpuMs: 6_000 }),
  ]);
  const { user } = open(metrics({ usage: both }));
  const cpu = within(await screen.findByRole('figure', { name: 'CPU' }));
  expect(cpu.getByText(/of 1 CPU now/)).toBeTruthy();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Instance' }), 'Instance 2');
  expect(cpu.getByText(/of 0\.5 CPU now/)).toBeTruthy();
  expect(cpu.queryByText(/Instance 1/)).toBeNull();
});

it('marks releases', async () => {
  const { fake } = open(metrics());
  await screen.findByRole('figure', { name: 'CPU' });
  const endedAt = new Date(Date.now() - 20 * MINUTE_MS).toISOString();
  fake.showReleases([aRelease({ number: 6, outcome: 'live', endedAt })]);
  expect((await screen.findAllByText('Release 6')).length).toBeGreaterThan(1);
});

it('says what this server cannot measure', async () => {
  const unknown = { cpuMs: null, memoryBytes: null, receivedBytes: null, sentBytes: null };
  const usage = minutes().map((at) => usageAt(at, { ...unknown, diskBytes: null }));
  open(metrics({ usage }));
  expect(await screen.findByText(/^CPU is not measured/)).toBeTruthy();
  expect(screen.getByText(/^Disk is not measured/)).toBeTruthy();
});

it('says what Kubernetes does not measure', async () => {
  const fake = createFakeClient({ resources: [shop, app], engine: 'kubernetes' });
  const unknown = { receivedBytes: null, sentBytes: null, diskBytes: null };
  fake.setMetrics(metrics({ usage: minutes().map((at) => usageAt(at, unknown)) }));
  openConsole(`${PATH}/metrics`, fake);
  const offered = 'Kubernetes does not offer these numbers.';
  expect(await screen.findByText(`Network is not measured: ${offered}`)).toBeTruthy();
  expect(screen.getByText(`Disk is not measured: ${offered}`)).toBeTruthy();
  expect(screen.queryByText(/^CPU is not measured/)).toBeNull();
});

it.each([
  ['before the first numbers', app, 'No metrics yet'],
  ['while the app is hibernated', anApp({ instances: 0 }), 'No metrics in this time range'],
])('explains what will be there %s', async (_, resource, title) => {
  open({ usage: [], traffic: [] }, resource);
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
});

it('says why nothing could be loaded', async () => {
  const fake = createFakeClient({ resources: [shop, app] });
  fake.failMetrics('The database is away');
  openConsole(`${PATH}/metrics`, fake);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Could not load the metrics');
  expect(alert.textContent).toContain('The database is away');
});

it('keeps the last numbers when a later load fails', async () => {
  const { fake, user } = open(metrics());
  await screen.findByRole('figure', { name: 'CPU' });
  fake.failMetrics('The database is away');
  await user.click(screen.getByRole('radio', { name: '24 h' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Showing data of');
  expect(screen.getByRole('figure', { name: 'CPU' })).toBeTruthy();
});

it('shows the usage of the last hour on the overview', async () => {
  open(metrics(), app, '');
  const usage = within(await screen.findByRole('region', { name: 'Usage' }));
  expect(usage.getByText('of 0.5 CPU')).toBeTruthy();
  expect(usage.getByText('200 MiB')).toBeTruthy();
  expect(usage.getByText('20 of 1,000')).toBeTruthy();
  expect(usage.getByRole('img', { name: /^Memory in the last hour: between/ })).toBeTruthy();
  expect(usage.getByRole('link', { name: 'Open metrics' }).getAttribute('href')).toBe(
    `${PATH}/metrics`,
  );
});

it('shows no usage on the overview before the first numbers', async () => {
  const { fake } = open({ usage: [], traffic: [] }, app, '');
  await screen.findByRole('region', { name: 'Configuration' });
  await waitFor(() => expect(fake.metricsQueries).not.toEqual([]));
  expect(screen.queryByRole('region', { name: 'Usage' })).toBeNull();
});
