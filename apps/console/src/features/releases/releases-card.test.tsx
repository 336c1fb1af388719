import { parseLogLine } from '@longshore/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createFakeClient } from '../../../test/fake-client.ts';
import { openConsole } from '../../../test/open-console.tsx';
import { anApp, aProject, aRelease } from '../../../test/resources.ts';

const RED = '1'.repeat(40);
const BLUE = '2'.repeat(40);
const shop = aProject({ name: 'Shop' });
const app = anApp();
const live = aRelease({ number: 1, revision: RED, envVersions: { COLOUR: 1, TOKEN: 1 } });
const failed = aRelease({
  number: 2,
  revision: BLUE,
  outcome: 'failed',
  message: 'The app started but does not accept connections on its port.',
  envVersions: { COLOUR: 2, SIZE: 2 },
});

const numbered = (count: number) =>
  Array.from({ length: count }, (_, at) => aRelease({ number: count - at }));

async function openReleases(shown = app) {
  const fake = createFakeClient({ resources: [shop, shown] });
  const user = openConsole(`/dashboard/projects/${shop.id}/apps/${app.id}/deployments`, fake);
  const card = within(await screen.findByRole('region', { name: 'Releases' }));
  return { fake, user, card };
}

it('shows releases with outcome and reason, live', async () => {
  const { fake, card } = await openReleases();
  act(() => fake.showReleases([]));
  expect(card.getByText(/Each deployment creates a release/)).toBeTruthy();
  act(() => fake.showReleases([failed, live]));
  const [newest, first] = card.getAllByRole('listitem');
  expect(newest?.textContent).toContain('#2Failed');
  expect(newest?.textContent).toContain(
    'The app started but does not accept connections on its port.',
  );
  expect(newest?.textContent).toContain('2222222');
  expect(newest?.textContent).toContain('42 s');
  expect(first?.textContent).toContain('#1Live');
});

it('loads older releases, 20 at a time', async () => {
  const { fake, user, card } = await openReleases();
  act(() => fake.showReleases(numbered(20)));
  expect(card.queryByText(/Showing the newest/)).toBeNull();
  act(() => fake.showReleases(numbered(41)));
  expect(card.getByText('Showing the newest 20 releases.')).toBeTruthy();
  expect(card.queryByText('#21')).toBeNull();
  const button = () => card.getByRole('button', { name: 'Load older releases' });
  await user.click(button());
  expect(card.getByText('Showing the newest 40 releases.')).toBeTruthy();
  expect(card.getByText('#2')).toBeTruthy();
  await user.click(button());
  expect(card.getByText('#1')).toBeTruthy();
  expect(card.queryByText(/Showing the newest/)).toBeNull();
});

it('shows the cause of a release, and none for releases without one', async () => {
  const { fake, card } = await openReleases();
  const actor = { userId: 'u1', name: 'Ada Lovelace' };
  const push = { ref: 'main', commit: BLUE, by: 'grace', subject: '<b>Fix</b> the header' };
  act(() =>
    fake.showReleases([
      aRelease({ number: 3, buildReusedFrom: 1, cause: { kind: 'rollback', to: 1, actor } }),
      aRelease({ number: 2, revision: BLUE, cause: { kind: 'push', ...push } }),
      aRelease({ number: 1 }),
    ]),
  );
  const [rollback, pushed] = card.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(rollback).toContain('Rolled back to release 1');
  expect(rollback).toContain('By you');
  expect(pushed).toContain('<b>Fix</b> the headerCommit 2222222Push to main by grace');
  expect(card.getAllByRole('listitem')[2]?.textContent).not.toMatch(/\bby\b/i);
});

it('shows what a rollback changes, variables by name, and rolls back', async () => {
  const { fake, user, card } = await openReleases();
  act(() => fake.showReleases([failed, live]));
  await user.click(card.getByRole('button', { name: 'Roll back to release 1' }));
  const dialog = await screen.findByRole('alertdialog', { name: 'Roll back to release 1?' });
  expect(dialog.textContent).toContain('Refmain → 1111111');
  expect(dialog.textContent).toContain('Commit2222222 → 1111111');
  expect(dialog.textContent).toContain('Variables addedTOKEN');
  expect(dialog.textContent).toContain('Variables changedCOLOUR');
  expect(dialog.textContent).toContain('Variables removedSIZE');
  await user.click(within(dialog).getByRole('button', { name: 'Roll back' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(fake.rollbacks).toEqual([{ appId: app.id, release: 1 }]);
});

it('restarts the running instance', async () => {
  const { fake, user, card } = await openReleases();
  await user.click(card.getByRole('button', { name: 'Restart' }));
  expect(fake.restarts).toEqual([app.id]);
});

it('redeploys, or shows why it failed', async () => {
  const { fake, user, card } = await openReleases();
  await user.click(card.getByRole('button', { name: 'Redeploy' }));
  expect(fake.redeploys).toEqual([app.id]);
  fake.failRequests('Too many at once');
  await user.click(card.getByRole('button', { name: 'Redeploy' }));
  expect(await screen.findByText('Too many at once')).toBeTruthy();
});

it.each([
  ['is syncing', { status: 'syncing' as const }],
  ['is hibernated', { instances: 0 }],
])('disables Redeploy while the app %s', async (_, state) => {
  const { fake, user, card } = await openReleases(anApp(state));
  const button = card.getByRole('button', { name: 'Redeploy' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await user.click(button);
  expect(fake.redeploys).toEqual([]);
});

it('cancels the build in progress, or shows why that failed', async () => {
  const { fake, user, card } = await openReleases(anApp({ status: 'syncing' }));
  expect(screen.queryByRole('button', { name: /^Cancel/ })).toBeNull();
  const building = aRelease({ number: 2, outcome: undefined, endedAt: undefined });
  act(() => fake.showReleases([building, live]));
  const name = 'Cancel build of release 2';
  // Only one button cancels it.
  const deployment = within(screen.getByRole('region', { name: /^Release 2/ }));
  expect(card.queryByRole('button', { name })).toBeNull();
  await user.click(deployment.getByRole('button', { name }));
  expect(fake.cancellations).toEqual([{ appId: app.id, release: 2 }]);
  fake.failRequests('Release 2 is already live');
  await user.click(deployment.getByRole('button', { name }));
  expect(await screen.findByText('Release 2 is already live')).toBeTruthy();
  act(() => fake.showReleases([aRelease({ number: 2, outcome: 'cancelled' }), live]));
  expect(screen.queryByRole('button', { name })).toBeNull();
  expect(card.getAllByRole('listitem')[0]?.textContent).toContain('#2Cancelled');
});

it('cancels a release that is retried from the list', async () => {
  const { fake, user, card } = await openReleases(anApp({ status: 'backoff' }));
  act(() => fake.showReleases([aRelease({ outcome: undefined, endedAt: undefined })]));
  await user.click(card.getByRole('button', { name: 'Cancel build of release 1' }));
  expect(fake.cancellations).toEqual([{ appId: app.id, release: 1 }]);
});

it('cancels the build in progress from the command palette after a second Enter', async () => {
  const { fake, user } = await openReleases(anApp({ status: 'syncing' }));
  const building = aRelease({ number: 2, outcome: undefined, endedAt: undefined });
  act(() => fake.showReleases([building, live]));
  await user.keyboard('{Control>}k{/Control}');
  await screen.findByRole('option', { name: 'Cancel build of release 2' });
  await user.keyboard('cancel build{Enter}');
  expect(fake.cancellations).toEqual([]);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(fake.cancellations).toEqual([{ appId: app.id, release: 2 }]));
});

it.each([
  ['synced', true],
  ['syncing', false],
] as const)(
  'a pinned app that is %s can resume from the command palette: %s',
  async (status, can) => {
    const { fake, user } = await openReleases(anApp({ status }));
    act(() => fake.showReleases([aRelease({ number: 3, appPin }), live]));
    await screen.findByRole('button', { name: 'Resume' });
    await user.keyboard('{Control>}k{/Control}');
    const palette = within(await screen.findByRole('dialog', { name: 'Command palette' }));
    await user.keyboard('resume');
    if (can) {
      await user.click(await palette.findByRole('option', { name: `Resume ${app.values.name}` }));
      await waitFor(() => expect(fake.resumes).toEqual([app.id]));
    } else {
      expect(palette.queryByRole('option', { name: /^Resume/ })).toBeNull();
    }
  },
);

it('does not offer to cancel a release that waits for the app to wake', async () => {
  const { fake } = await openReleases(anApp({ instances: 0 }));
  act(() => fake.showReleases([aRelease({ number: 2, outcome: undefined }), live]));
  expect(screen.queryByRole('button', { name: /^Cancel/ })).toBeNull();
});

it('shows which release serves after a cancelled one', async () => {
  const { fake } = await openReleases();
  act(() => fake.showReleases([aRelease({ number: 2, outcome: 'cancelled' }), live]));
  const text = 'Release 2 was cancelled. Release 1 keeps serving. Redeploy to try again.';
  expect(screen.getByText(text)).toBeTruthy();
  act(() => fake.showReleases([aRelease({ number: 3 }), live]));
  expect(screen.queryByText(text)).toBeNull();
});

const appPin = { release: 1, follows: 'main' };
const pinnedSource = { ...app.values.source, ref: RED };
const DIGEST = `sha256:${'ab'.repeat(32)}`;

it.each([
  [
    'push to deploy on',
    { source: pinnedSource },
    appPin,
    'manual' as const,
    'Push to deploy is paused: rolled back to release 1 (commit 1111111). Newer commits wait.',
    'Redeploy stays at this commit. Resume deploys the newest commit of main and follows pushes again.',
  ],
  [
    'push to deploy off',
    { source: pinnedSource },
    appPin,
    'off' as const,
    'Rolled back to release 1 (commit 1111111).',
    'Redeploy stays at this commit. Resume deploys the newest commit of main.',
  ],
  [
    'an image',
    {
      source: { ...pinnedSource, enabled: false },
      container: { ...app.values.container, image: `nginx:1.27@${DIGEST}` },
    },
    { release: 1, follows: 'nginx:1.27' },
    'off' as const,
    'Rolled back to release 1 (digest abababa).',
    'Redeploy stays at this digest. Resume pulls nginx:1.27 again.',
  ],
])(
  'shows that an app with %s is pinned by a rollback, and resumes',
  async (_, values, pin, state, headline, details) => {
    const fake = createFakeClient({ resources: [shop, anApp(values)] });
    fake.webhooks.set({ webhook: { state } });
    const user = openConsole(`/dashboard/projects/${shop.id}/apps/${app.id}/deployments`, fake);
    await screen.findByRole('region', { name: 'Releases' });
    act(() => fake.showReleases([aRelease({ number: 3, appPin: pin }), live]));
    expect(await screen.findByText(headline)).toBeTruthy();
    expect(screen.getByText(details)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Resume' }));
    expect(fake.resumes).toEqual([app.id]);
    fake.failRequests('Not now');
    await user.click(screen.getByRole('button', { name: 'Resume' }));
    expect(await screen.findByText('Not now')).toBeTruthy();
    act(() => fake.showReleases([aRelease({ number: 4 }), live]));
    expect(screen.queryByText(headline)).toBeNull();
  },
);

it('says before a rollback whether pushes are still deployed', async () => {
  const { fake, user, card } = await openReleases();
  const pinned = aRelease({ ...live, values: { ...live.values, source: pinnedSource } });
  act(() => fake.showReleases([failed, live]));
  await user.click(card.getByRole('button', { name: 'Roll back to release 1' }));
  const dialog = await screen.findByRole('alertdialog');
  expect(dialog.textContent).toContain('Pushes are not deployed until you resume.');
  expect(dialog.textContent).toContain('stays at 1111111 until you resume, also after a redeploy.');
  act(() => fake.showReleases([failed, pinned]));
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await user.click(card.getByRole('button', { name: 'Roll back to release 1' }));
  const other = await screen.findByRole('alertdialog');
  expect(other.textContent).not.toContain('resume');
});

it('opens the build log of a release', async () => {
  const { fake, user, card } = await openReleases();
  act(() => fake.showReleases([failed, live]));
  fake.buildLogs.set(2, [parseLogLine('[app-3f2a91-build-2]: npm ci')]);
  await user.click(card.getByRole('button', { name: 'Build log of release 2' }));
  const log = await screen.findByRole('region', { name: 'Build of release 2' });
  expect(await within(log).findByRole('log', { name: 'Build of release 2' })).toBeTruthy();
  expect(within(log).getByRole('button', { name: 'Download' })).toBeTruthy();
  await user.click(card.getByRole('button', { name: 'Build log of release 2', expanded: true }));
  expect(screen.queryByRole('region', { name: 'Build of release 2' })).toBeNull();
  await user.click(card.getByRole('button', { name: 'Build log of release 1' }));
  expect(await screen.findByText(/^No build log/)).toBeTruthy();
});

it('shows why a build log cannot be loaded', async () => {
  const { fake, user, card } = await openReleases();
  act(() => fake.showReleases([live]));
  fake.failRequests('Failed to fetch logs: 500');
  await user.click(card.getByRole('button', { name: 'Build log of release 1' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Failed to fetch logs: 500');
});

it('shows the reason for waiting after a rollback was sent', async () => {
  const { fake, user, card } = await openReleases();
  act(() => fake.showReleases([failed, live]));
  await user.click(card.getByRole('button', { name: 'Roll back to release 1' }));
  await user.click(await screen.findByRole('button', { name: 'Roll back' }));
  expect(await screen.findByText('Processing request...')).toBeTruthy();
  act(() => fake.showResources([shop, anApp({ status: 'syncing' })]));
  expect(screen.queryByText('Processing request...')).toBeNull();
});

it('shows why a rollback failed', async () => {
  const { fake, user, card } = await openReleases();
  act(() => fake.showReleases([failed, live]));
  fake.failRequests('Release 1 is no longer stored');
  await user.click(card.getByRole('button', { name: 'Roll back to release 1' }));
  await user.click(await screen.findByRole('button', { name: 'Roll back' }));
  expect(await screen.findByText('Rollback failed')).toBeTruthy();
  expect(screen.getByText('Release 1 is no longer stored')).toBeTruthy();
  expect(fake.rollbacks).toEqual([]);
});

it('shows why releases cannot be loaded, and keeps those already loaded', async () => {
  const { fake, card } = await openReleases();
  act(() => fake.failReleases('Forbidden'));
  expect(card.getByRole('alert').textContent).toContain('Forbidden');
  act(() => fake.showReleases([live]));
  act(() => fake.failReleases('Forbidden'));
  expect(card.getByText('#1')).toBeTruthy();
});

it('compares two releases: settings, variables by name, and the commits at the code host', async () => {
  const { fake, user, card } = await openReleases();
  act(() => fake.showReleases([failed, live]));
  await user.click(card.getByRole('button', { name: 'Actions for release 1' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Compare…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Compare release 1' });
  expect(dialog.textContent).toContain('What changed from release 1 to release 2.');
  expect(dialog.textContent).toContain('Commit1111111 → 2222222');
  for (const change of ['addedSIZE', 'changedCOLOUR', 'removedTOKEN']) {
    expect(dialog.textContent).toContain(`Variables ${change}`);
  }
  const range = `https://github.com/acme/shop/compare/${RED}...${BLUE}`;
  expect(within(dialog).getByRole('link').getAttribute('href')).toBe(range);
});

it('shows the phases of a release in words', async () => {
  const { fake, card } = await openReleases();
  const phases = [
    { phase: 'queued' as const, at: '2025-01-01T00:00:00Z' },
    { phase: 'building' as const, at: '2025-01-01T00:00:02Z' },
    { phase: 'checking' as const, at: '2025-01-01T00:00:40Z' },
  ];
  act(() =>
    fake.showReleases([
      { ...failed, phases },
      { ...live, phases },
    ]),
  );
  expect(card.getByText('Failed at Checking · 42 s')).toBeTruthy();
  expect(card.getByText('42 s · build 38 s')).toBeTruthy();
  expect(card.getAllByText('Queued 2 s, Building 38 s, Checking 2 s')).toHaveLength(2);
});

it.each([
  ['Roll back to release 1', 'alertdialog', 'Roll back to release 1?'],
  ['Compare releases', 'dialog', 'Compare release 2'],
] as const)('has the command %s in the palette', async (command, role, title) => {
  const { fake, user } = await openReleases();
  act(() => fake.showReleases([aRelease({ number: 2, revision: BLUE }), live]));
  await user.keyboard('{Control>}k{/Control}');
  await user.type(screen.getByRole('combobox', { name: 'Command palette' }), `${command}{Enter}`);
  expect(await screen.findByRole(role, { name: title })).toBeTruthy();
});
