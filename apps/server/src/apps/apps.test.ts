import { randomUUID } from 'node:crypto';
import { releaseValues } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabaseHarness } from '../../test/reconciler/database-harness.ts';
import { appValues } from '../../test/values.ts';
import { type Apps, createApps } from './apps.ts';

const PROJECT_ID = randomUUID();

let harness: Awaited<ReturnType<typeof createDatabaseHarness>>;
let apps: Apps;

beforeAll(async () => {
  harness = await createDatabaseHarness();
  apps = createApps(harness.db);
});
afterAll(() => harness.clear());

async function addApp(): Promise<string> {
  const appId = await harness.addApp();
  await harness.editApp(appId, { projectId: PROJECT_ID });
  return appId;
}

describe('an existing app', () => {
  it('is found by its id and by its owner', async () => {
    const id = await addApp();
    const app = { id, ownerId: harness.ownerId, values: appValues(PROJECT_ID) };
    expect(await apps.find(id)).toEqual(app);
    expect(await apps.findOwned(harness.ownerId, id)).toEqual(app);
    expect(await apps.isOwned(harness.ownerId, PROJECT_ID, id)).toBe(true);
    expect(await apps.deletedAmong([id])).toEqual([]);
  });

  it('is not found by another user, and not in another project', async () => {
    const id = await addApp();
    expect(await apps.findOwned(randomUUID(), id)).toBeUndefined();
    expect(await apps.isOwned(randomUUID(), PROJECT_ID, id)).toBe(false);
    expect(await apps.isOwned(harness.ownerId, randomUUID(), id)).toBe(false);
  });
});

it('finds a deleted app only by deletedAmong', async () => {
  const id = await addApp();
  await harness.deleteApp(id);
  expect(await apps.find(id)).toBeUndefined();
  expect(await apps.findOwned(harness.ownerId, id)).toBeUndefined();
  expect(await apps.isOwned(harness.ownerId, PROJECT_ID, id)).toBe(false);
  expect(await apps.deletedAmong([await addApp(), id])).toEqual([{ id, ownerId: harness.ownerId }]);
});

it.each([
  ['an unknown id', async () => randomUUID()],
  ['a malformed id', async () => "' or 1=1 --"],
  ['the id of a project', () => harness.addApp('project')],
])('finds nothing for %s', async (_, createId) => {
  const id = await createId();
  expect(await apps.find(id)).toBeUndefined();
  expect(await apps.findOwned(harness.ownerId, id)).toBeUndefined();
  expect(await apps.isOwned(harness.ownerId, PROJECT_ID, id)).toBe(false);
});

describe('the custom domain of an app', () => {
  const domain = `${randomUUID()}.example.com`;

  it.each([
    ['is found for a public app', { enabled: true, domain, baseDomain: '' }, domain],
    ['is ignored for a private app', { enabled: false, domain, baseDomain: '' }, undefined],
    [
      'is undefined with a generated domain',
      { enabled: true, domain: 'auto', baseDomain: '' },
      undefined,
    ],
  ])('%s', async (_, publicAccess, expected) => {
    const id = await addApp();
    await harness.editApp(id, { publicAccess });
    expect(await apps.customDomainOf(id)).toBe(expected);
    expect((await apps.withCustomDomain(domain)).includes(id)).toBe(expected === domain);
  });
});

it('finds the apps that use an integration, by their enabled source', async () => {
  const integrationId = randomUUID();
  const { source, container } = appValues(PROJECT_ID);
  const [cloning, pulling, disabled] = [await addApp(), await addApp(), await addApp()];
  const pull = { container: { ...container, pullSecretName: integrationId } };
  await harness.editApp(cloning, { source: { ...source, secretName: integrationId } });
  await harness.editApp(pulling, { source: { ...source, enabled: false }, ...pull });
  await harness.editApp(disabled, pull);
  const found = await apps.usingIntegration(harness.ownerId, integrationId);
  expect(found.map(({ id }) => id)).toEqual([cloning, pulling]);
  expect(await apps.usingIntegration(randomUUID(), integrationId)).toEqual([]);
});

it('finds the deployed commit only while the newest release is live', async () => {
  const appId = await addApp();
  const values = releaseValues(appValues(PROJECT_ID));
  const release = { appId, generation: 1, desiredHash: 'a', values };
  expect(await apps.deployedCommit(appId)).toBeUndefined();
  const { number } = await harness.store.addRelease(release);
  await harness.store.setRevision(appId, number, 'c0ffee');
  expect(await apps.deployedCommit(appId)).toBeUndefined();
  await harness.store.endRelease({ appId, number, outcome: 'live' });
  expect(await apps.deployedCommit(appId)).toBe('c0ffee');
  await harness.store.addRelease(release);
  expect(await apps.deployedCommit(appId)).toBeUndefined();
});
