import { chartNameOf, releaseValues } from '@longshore/contract';
import { buildAppValues } from '@longshore/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabaseHarness } from '../../test/reconciler/database-harness.ts';
import { describeStore } from '../../test/reconciler/store-contract.ts';

describeStore('database', createDatabaseHarness);

describe('a row of resources', () => {
  let harness: Awaited<ReturnType<typeof createDatabaseHarness>>;

  beforeAll(async () => {
    harness = await createDatabaseHarness();
  });
  afterAll(() => harness.clear());

  const synced = { status: 'synced', message: '' } as const;

  it('notifies whether an edit or a status report changed it', async () => {
    const appId = await harness.addApp();
    await harness.store.report({ appId, generation: 1, ...synced });
    await harness.editApp(appId, { instances: 0 });
    await harness.store.report({ appId, generation: 2, ...synced });
    await harness.deleteApp(appId);
    const notifications = await harness.notificationsOf(appId);
    expect(
      notifications.map(({ generation, isNewGeneration }) => [generation, isNewGeneration]),
    ).toEqual([
      [1, true],
      [1, false],
      [2, true],
      [2, false],
      [3, true],
    ]);
    expect(notifications[0]).toEqual({
      id: appId,
      userId: harness.ownerId,
      chartName: chartNameOf('app'),
      generation: 1,
      isEdgeChange: false,
      isNewGeneration: true,
      isRetryRequested: false,
    });
  });

  it('keeps its generation when an edit changes nothing', async () => {
    const appId = await harness.addApp();
    await harness.editApp(appId, {});
    expect(
      (await harness.notificationsOf(appId)).map(({ isNewGeneration }) => isNewGeneration),
    ).toEqual([true, false]);
  });

  it('has an update time that changes with its values, not with its status', async () => {
    const appId = await harness.addApp();
    const { updated } = await harness.rowOf(appId);
    await harness.store.report({ appId, generation: 1, ...synced });
    expect((await harness.rowOf(appId)).updated).toBe(updated);
    await harness.editApp(appId, { instances: 0 });
    const edited = (await harness.rowOf(appId)).updated;
    expect(Number(edited)).toBeGreaterThan(Number(updated));
    await harness.deleteApp(appId);
    expect(Number((await harness.rowOf(appId)).updated)).toBeGreaterThan(Number(edited));
  });

  it('is not an app when it is a project', async () => {
    const projectId = await harness.addApp('project');
    expect(await harness.store.app(projectId)).toBeUndefined();
    expect(await harness.store.appIds()).not.toContain(projectId);
  });
});

describe('a row of releases', () => {
  let harness: Awaited<ReturnType<typeof createDatabaseHarness>>;

  beforeAll(async () => {
    harness = await createDatabaseHarness();
  });
  afterAll(() => harness.clear());

  const addRelease = (appId: string, env: Record<string, string>) =>
    harness.store.addRelease({
      appId,
      generation: 1,
      desiredHash: 'hash',
      values: { ...releaseValues(buildAppValues()), env },
    });

  it('is read with those of other apps, each with its own', async () => {
    const { store } = harness;
    const [one, other, none] = [
      await harness.addApp(),
      await harness.addApp(),
      await harness.addApp(),
    ];
    for (const colour of ['red', 'blue', 'green']) {
      const { number } = await addRelease(one, { COLOUR: colour });
      if (colour !== 'green') await store.endRelease({ appId: one, number, outcome: 'live' });
    }
    const { number } = await addRelease(other, { COLOUR: 'grey' });
    await store.endRelease({ appId: other, number, outcome: 'failed' });
    // The first one alone, the others together, twice.
    const asked = [one, other, none, one, other, none];
    const found = await Promise.all(asked.map((id) => store.releases(id)));
    const seen = found.map(({ last, live }) =>
      [last, ...live].map((release) => release?.values.env.COLOUR),
    );
    const expected = [['green', 'blue', 'red'], ['grey'], [undefined]];
    expect(seen).toEqual([...expected, ...expected]);
    const apps = await Promise.all(asked.map((id) => store.app(id)));
    expect(apps.map((app) => app?.id)).toEqual(asked);
  });

  it('stores the first release that had the value of each variable, and the owner', async () => {
    const [appId, other] = [await harness.addApp(), await harness.addApp()];
    await addRelease(other, { COLOUR: 'red' });
    await addRelease(other, { COLOUR: 'blue' });
    await addRelease(appId, { COLOUR: 'red', TOKEN: 'sesame' });
    await addRelease(appId, { COLOUR: 'blue', TOKEN: 'sesame' });
    await addRelease(appId, { COLOUR: 'red', SIZE: 'small' });
    await addRelease(appId, {});
    const rows = await harness.releaseRows(appId);
    expect(rows.map(({ env_marks }) => env_marks)).toEqual([
      { COLOUR: 1, TOKEN: 1 },
      { COLOUR: 2, TOKEN: 1 },
      { COLOUR: 1, SIZE: 3 },
      {},
    ]);
    expect(new Set(rows.map(({ user_id }) => user_id))).toEqual(new Set([harness.ownerId]));
  });

  it.each([
    ['its values', "made_of = '{}'"],
    ['its environment', "env = '{}'"],
    ['its number', 'number = 9'],
    ['its start time', "started_at = now() - interval '1 day'"],
    ['its revision', "revision = 'other'"],
    ['its outcome', "outcome = 'live'"],
  ])('cannot change %s', async (_, change) => {
    const appId = await harness.addApp();
    const { number } = await addRelease(appId, { COLOUR: 'red' });
    await harness.store.setRevision(appId, number, 'c0ffee');
    await harness.store.setRevision(appId, number, 'c0ffee');
    await harness.store.endRelease({ appId, number, outcome: 'failed' });
    await expect(harness.changeReleases(appId, change)).rejects.toThrow('does not change');
  });
});
