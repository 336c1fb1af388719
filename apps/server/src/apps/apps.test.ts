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

it('lists public apps with the domains that they serve', async () => {
  const [id, hidden, deleted] = [await addApp(), await addApp(), await addApp()];
  const publicAccess = { enabled: true, domain: 'auto', baseDomain: 'localhost' };
  const domains = ['proved.example.com', 'lapsing.example.com', 'unrouted.example.com'];
  const projectId = randomUUID();
  await harness.editApp(id, { projectId, publicAccess: { ...publicAccess, domains } });
  await harness.editApp(hidden, { publicAccess: { ...publicAccess, enabled: false } });
  await harness.editApp(deleted, { publicAccess });
  await harness.deleteApp(deleted);
  const claims = harness.db.updateTable('deploy.domain_claims').where('app_id', '=', id);
  const proof = { proof: 'txt' as const, is_routed: true };
  await claims.where('domain', '=', 'proved.example.com').set(proof).execute();
  await claims
    .where('domain', '=', 'lapsing.example.com')
    .set({ ...proof, missing_since: new Date() })
    .execute();
  const listed = (await apps.listPublic()).filter((app) => [id, hidden, deleted].includes(app.id));
  const { name, instances, ports } = appValues(PROJECT_ID);
  expect(listed).toEqual([
    {
      id,
      ownerId: harness.ownerId,
      values: { name, instances, ports, publicAccess: { ...publicAccess, domains } },
      routed: expect.toSatisfy((routed: { domain: string; isProved: boolean }[]) =>
        routed.every(({ domain, isProved }) => isProved === (domain === 'proved.example.com')),
      ),
    },
  ]);
  expect(listed[0]?.routed).toHaveLength(2);
  const { ownerId } = harness;
  expect(await apps.listPublic({ ownerId, projectId })).toMatchObject([{ id }]);
  expect(await apps.listPublic({ ownerId, projectId: randomUUID() })).toEqual([]);
  expect(await apps.listPublic({ ownerId: randomUUID(), projectId })).toEqual([]);
  const generatedOnly = await addApp();
  await harness.editApp(generatedOnly, { publicAccess });
  const withDomain = (await apps.listPublic('with-custom-domain')).map((app) => app.id);
  expect(withDomain).toContain(id);
  expect(withDomain).not.toContain(generatedOnly);
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
