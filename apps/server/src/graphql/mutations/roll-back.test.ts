import { isRecord, ROLLBACK_APP, releaseValues } from '@longshore/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bearer } from '../../../test/backend.ts';
import {
  AS_ADMIN,
  type GraphqlFixture,
  startGraphqlFixture,
} from '../../../test/graphql/graphql-fixture.ts';
import { appValues, VARIABLES } from '../../../test/values.ts';
import { createReconcilerStore, type ReconcilerStore } from '../../apps/reconciler-store.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const RED = { COLOUR: 'red', TOKEN: 'open sesame' };

let graphql: GraphqlFixture;
let store: ReconcilerStore;
beforeAll(async () => {
  graphql = await startGraphqlFixture();
  store = createReconcilerStore({ db: graphql.backend.db, variables: VARIABLES });
});
afterAll(() => graphql.stop());

/** An app whose first release was red, on two ports. Its values have changed since. */
async function editedApp(outcome: 'live' | 'failed' = 'live'): Promise<string> {
  const id = await graphql.createApp({ name: 'renamed', env: { COLOUR: 'blue' } });
  const ports = [
    { number: 3000, expose: true },
    { number: 9000, expose: false },
  ];
  const values = { ...releaseValues(appValues('project')), ports, env: RED };
  await addRelease(id, values, outcome);
  return id;
}

async function addRelease(
  appId: string,
  values = releaseValues(appValues('project')),
  outcome: 'live' | 'failed' = 'live',
): Promise<void> {
  const { number } = await store.addRelease({ appId, generation: 1, desiredHash: 'hash', values });
  await store.setRevision(appId, number, COMMIT);
  await store.endRelease({ appId, number, outcome });
}

async function rowOf(id: string) {
  const query = 'query ($id: uuid!) { resources_by_pk(id: $id) { values generation status } }';
  const row = await graphql.result(query, { id });
  return isRecord(row) ? row : {};
}

it('restores the values of the release at its commit, and keeps name and domains', async () => {
  const id = await editedApp();
  const { values: before } = await rowOf(id);
  expect(await graphql.result(ROLLBACK_APP, { id, release: 1 })).toEqual({ id });
  const { values, generation, status } = await rowOf(id);
  const edited = isRecord(before) ? before : {};
  expect(values).toEqual({
    ...edited,
    ports: [
      { number: 3000, expose: true },
      { number: 9000, expose: false },
    ],
    source: { ...appValues('project').source, ref: COMMIT },
    env: RED,
  });
  expect({ generation, status, name: edited.name }).toEqual({
    generation: 2,
    status: 'syncing',
    name: 'renamed',
  });
});

it.each([undefined, { path: '/up' }])('restores the health check %j', async (healthCheck) => {
  const id = await graphql.createApp({ healthCheck: { path: '/health', status: 204 } });
  const values = releaseValues(appValues('project'));
  await addRelease(id, { ...values, ...(healthCheck && { healthCheck }) });
  await graphql.result(ROLLBACK_APP, { id, release: 1 });
  const { values: restored } = await rowOf(id);
  expect(isRecord(restored) ? restored.healthCheck : '').toEqual(healthCheck);
});

it.each([undefined, { worker: { command: 'node worker.js', replicas: 2 } }])(
  'restores the processes %j',
  async (processes) => {
    const id = await graphql.createApp({ processes: { clock: { command: 'node clock.js' } } });
    const values = releaseValues(appValues('project'));
    await addRelease(id, { ...values, ...(processes && { processes }) });
    await graphql.result(ROLLBACK_APP, { id, release: 1 });
    const { values: restored } = await rowOf(id);
    expect(isRecord(restored) ? restored.processes : '').toEqual(processes);
  },
);

it('keeps an app public whose release was private', async () => {
  const id = await graphql.createApp();
  const values = releaseValues(appValues('project'));
  await addRelease(id, { ...values, ports: [{ number: 4000, expose: false }] });
  await graphql.result(ROLLBACK_APP, { id, release: 1 });
  const { values: restored } = await rowOf(id);
  expect(restored).toMatchObject({
    publicAccess: { enabled: true },
    ports: [{ number: 4000, expose: true }],
  });
});

it('changes nothing the second time', async () => {
  const id = await editedApp();
  await graphql.result(ROLLBACK_APP, { id, release: 1 });
  await graphql.result(ROLLBACK_APP, { id, release: 1 });
  expect((await rowOf(id)).generation).toBe(2);
});

it('is allowed for an admin', async () => {
  const id = await editedApp();
  expect(await graphql.result(ROLLBACK_APP, { id, release: 1 }, AS_ADMIN)).toEqual({ id });
});

it.each([
  ['with an unknown number', 2],
  ['with a negative number', -1],
])('is rejected for a release %s, and writes nothing', async (_, release) => {
  const id = await editedApp();
  const before = await rowOf(id);
  expect(await graphql.error(ROLLBACK_APP, { id, release })).toMatchObject({
    message: `Release ${release} is no longer stored`,
    extensions: { code: 'validation-failed' },
  });
  expect(await rowOf(id)).toEqual(before);
});

it('is rejected for a failed release', async () => {
  const id = await editedApp('failed');
  const { message } = await graphql.error(ROLLBACK_APP, { id, release: 1 });
  expect(message).toBe('Release 1 is no longer stored');
});

it('is rejected for a release older than the five stored ones', async () => {
  const id = await editedApp();
  for (let count = 0; count < 4; count += 1) await addRelease(id);
  expect(await graphql.result(ROLLBACK_APP, { id, release: 1 })).toEqual({ id });
  await addRelease(id);
  const { message } = await graphql.error(ROLLBACK_APP, { id, release: 1 });
  expect(message).toBe('Release 1 is no longer stored');
});

it('is rejected when the app has changed since', async () => {
  const id = await editedApp();
  const rollback = `mutation ($id: uuid!) { rollback_app(id: $id, release: 1, generation: 0) { id } }`;
  expect((await graphql.error(rollback, { id })).extensions.code).toBe('conflict');
});

it('is rejected when the current rules do not allow the source', async () => {
  const id = await graphql.createApp();
  const values = releaseValues(appValues('project'));
  await addRelease(id, { ...values, source: { ...values.source, url: 'file:///srv/a.git' } });
  const { message } = await graphql.error(ROLLBACK_APP, { id, release: 1 });
  expect(message).toContain('values.source.url');
});

it.each(['deleted', 'foreign', 'a project'])('returns null for an id that is %s', async (kind) => {
  const id = kind === 'a project' ? await graphql.createProject() : await editedApp();
  const remove = 'mutation ($id: uuid!) { delete_resources_by_pk(id: $id) { id } }';
  if (kind === 'deleted') await graphql.result(remove, { id });
  const as = kind === 'foreign' ? bearer(await graphql.backend.signUp()) : undefined;
  expect(await graphql.result(ROLLBACK_APP, { id, release: 1 }, as)).toBeNull();
});

it('does not reveal environment values in the history', async () => {
  const id = await editedApp();
  await graphql.result(ROLLBACK_APP, { id, release: 1 });
  const query = `query ($id: uuid!) {
    releases(where: {app_id: {_eq: $id}}) { made_of env_marks }
    events(where: {app_id: {_eq: $id}}) { details }
  }`;
  const { data } = await graphql.request(query, { id });
  expect(data?.releases).toMatchObject([{ env_marks: { COLOUR: 1, TOKEN: 1 } }]);
  expect(JSON.stringify(data)).not.toContain(RED.TOKEN);
  const columns = '{ __type(name: "releases") { fields { name } } }';
  expect(JSON.stringify(await graphql.result(columns))).not.toContain('"env"');
});
