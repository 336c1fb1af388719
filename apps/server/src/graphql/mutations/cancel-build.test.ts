import { CANCEL_BUILD, isRecord, REDEPLOY_APP, releaseValues } from '@longshore/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bearer } from '../../../test/backend.ts';
import {
  AS_ADMIN,
  type GraphqlFixture,
  startGraphqlFixture,
} from '../../../test/graphql/graphql-fixture.ts';
import { appValues, VARIABLES } from '../../../test/values.ts';
import { createReconcilerStore, type ReconcilerStore } from '../../apps/reconciler-store.ts';

let graphql: GraphqlFixture;
let store: ReconcilerStore;
beforeAll(async () => {
  graphql = await startGraphqlFixture();
  store = createReconcilerStore({ db: graphql.backend.db, variables: VARIABLES });
});
afterAll(() => graphql.stop());

/** An app with a release that is in progress. */
async function buildingApp(): Promise<string> {
  const id = await graphql.createApp();
  await addRelease(id);
  await store.report({ appId: id, generation: 1, status: 'syncing', message: 'building' });
  return id;
}

function addRelease(appId: string) {
  const values = releaseValues(appValues('project'));
  return store.addRelease({ appId, generation: 1, desiredHash: 'hash', values });
}

async function rowOf(id: string) {
  const query = `query ($id: uuid!) { resources_by_pk(id: $id) {
    status message generation values releases(order_by: {number: asc}) { outcome ended_at }
  } }`;
  const row = await graphql.result(query, { id });
  return isRecord(row) ? row : {};
}

async function outcomesOf(id: string): Promise<unknown> {
  const { releases } = await rowOf(id);
  return Array.isArray(releases) ? releases.map(({ outcome }) => outcome) : [];
}

it('ends the release as cancelled, and makes a new generation of the same values', async () => {
  const id = await buildingApp();
  const { values } = await rowOf(id);
  expect(await graphql.result(CANCEL_BUILD, { id, release: 1 })).toEqual({ id });
  expect(await rowOf(id)).toEqual({
    status: 'syncing',
    message: 'Reconcile: cancelling the build',
    generation: 2,
    values,
    releases: [{ outcome: 'cancelled', ended_at: expect.any(String) }],
  });
  const query = 'query ($id: uuid!) { events(where: {app_id: {_eq: $id}}) { kind details } }';
  expect(await graphql.result(query, { id })).toEqual([
    { kind: 'created', details: {} },
    { kind: 'release-started', details: { release: 1 } },
    { kind: 'release-cancelled', details: { release: 1 } },
  ]);
});

it('changes nothing the second time', async () => {
  const id = await buildingApp();
  await graphql.result(CANCEL_BUILD, { id, release: 1 });
  const before = await rowOf(id);
  expect(await graphql.result(CANCEL_BUILD, { id, release: 1 })).toEqual({ id });
  expect(await rowOf(id)).toEqual(before);
});

it('is allowed for an admin', async () => {
  const id = await buildingApp();
  expect(await graphql.result(CANCEL_BUILD, { id, release: 1 }, AS_ADMIN)).toEqual({ id });
});

it.each([
  ['live', 'Release 1 is already live'],
  ['failed', 'Release 1 has already failed'],
  ['superseded', 'Release 1 was already superseded by a newer release'],
] as const)(
  'is rejected for a release that is %s, and writes nothing',
  async (outcome, message) => {
    const id = await buildingApp();
    await store.endRelease({ appId: id, number: 1, outcome });
    const before = await rowOf(id);
    expect(await graphql.error(CANCEL_BUILD, { id, release: 1 })).toMatchObject({
      message,
      extensions: { code: 'conflict' },
    });
    expect(await rowOf(id)).toEqual(before);
  },
);

it('is rejected for a release that does not exist', async () => {
  const id = await buildingApp();
  expect(await graphql.error(CANCEL_BUILD, { id, release: 2 })).toMatchObject({
    message: 'Release 2 does not exist',
    extensions: { code: 'validation-failed' },
  });
});

it('does not let a cancelled release go live, and records no phase of it', async () => {
  const id = await buildingApp();
  await graphql.result(CANCEL_BUILD, { id, release: 1 });
  await store.addPhase(id, 1, 'live');
  expect(await store.endRelease({ appId: id, number: 1, outcome: 'live' })).toBe(false);
  expect(await outcomesOf(id)).toEqual(['cancelled']);
});

it('gives one clear answer when the release goes live at the same time', async () => {
  for (let round = 0; round < 20; round += 1) {
    const id = await buildingApp();
    const [{ errors }, isLive] = await Promise.all([
      graphql.request(CANCEL_BUILD, { id, release: 1 }),
      store.endRelease({ appId: id, number: 1, outcome: 'live' }),
    ]);
    expect(errors?.[0]?.message).toBe(isLive ? 'Release 1 is already live' : undefined);
    expect(await outcomesOf(id)).toEqual([isLive ? 'live' : 'cancelled']);
  }
});

it('gives one clear answer when the next release starts at the same time', async () => {
  for (let round = 0; round < 20; round += 1) {
    const id = await buildingApp();
    const [{ errors }] = await Promise.all([
      graphql.request(CANCEL_BUILD, { id, release: 1 }),
      addRelease(id),
    ]);
    const superseded = 'Release 1 was already superseded by a newer release';
    expect([undefined, superseded]).toContain(errors?.[0]?.message);
    expect(await outcomesOf(id)).toEqual([errors === undefined ? 'cancelled' : 'superseded', null]);
  }
});

it('does not prevent a redeploy', async () => {
  const id = await buildingApp();
  await graphql.result(CANCEL_BUILD, { id, release: 1 });
  expect(await graphql.result(REDEPLOY_APP, { id })).toEqual({ id });
  expect(await rowOf(id)).toMatchObject({ status: 'syncing', generation: 3 });
});

it.each(['deleted', 'foreign', 'a project'])('returns null for an id that is %s', async (kind) => {
  const id = kind === 'a project' ? await graphql.createProject() : await buildingApp();
  const remove = 'mutation ($id: uuid!) { delete_resources_by_pk(id: $id) { id } }';
  if (kind === 'deleted') await graphql.result(remove, { id });
  const as = kind === 'foreign' ? bearer(await graphql.backend.signUp()) : undefined;
  expect(await graphql.result(CANCEL_BUILD, { id, release: 1 }, as)).toBeNull();
  if (kind !== 'a project') expect((await store.releases(id)).last?.outcome).toBeUndefined();
});
