import { isRecord, releaseValues } from '@longshore/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GraphqlFixture, startGraphqlFixture } from '../../../test/graphql/graphql-fixture.ts';
import { appValues, VARIABLES } from '../../../test/values.ts';
import { createReconcilerStore, type ReconcilerStore } from '../../apps/reconciler-store.ts';

const SET_VALUES = `mutation ($id: uuid!, $values: jsonb!) {
  update_resources(where: { id: { _eq: $id } }, _append: { values: $values }) { affected_rows }
}`;
const SLEEP = { sleep: { afterMinutes: 5 } };
const WORKER = { processes: { worker: { command: 'node worker.js' } } };

let graphql: GraphqlFixture;
let store: ReconcilerStore;
beforeAll(async () => {
  graphql = await startGraphqlFixture();
  store = createReconcilerStore({ db: graphql.backend.db, variables: VARIABLES });
});
afterAll(() => graphql.stop());

async function problemOf(id: string, values: object): Promise<string | undefined> {
  const { errors } = await graphql.request(SET_VALUES, { id, values });
  return errors?.[0]?.message;
}

async function valuesOf(id: string): Promise<Record<string, unknown>> {
  const row = await graphql.result('query ($id: uuid!) { resources_by_pk(id: $id) { values } }', {
    id,
  });
  return isRecord(row) && isRecord(row.values) ? row.values : {};
}

it('stores processes, and names the field of one that is not allowed', async () => {
  const id = await graphql.createApp();
  expect(await problemOf(id, WORKER)).toBeUndefined();
  const wrong = { processes: { worker: { command: 'node worker.js', replicas: -1 } } };
  expect(await problemOf(id, wrong)).toContain('values.processes.worker.replicas: ');
  expect(await problemOf(id, { processes: { web: {} } })).toContain('values.processes.web: ');
  expect(await valuesOf(id)).toMatchObject(WORKER);
});

it('refuses sleep for an app with processes, and processes for an app that sleeps', async () => {
  const id = await graphql.createApp(WORKER);
  expect(await problemOf(id, SLEEP)).toContain(
    'values.sleep: Not available for an app with the process worker: only requests wake an app',
  );
  const sleeping = await graphql.createApp({ name: 'sleeping', ...SLEEP });
  expect(await problemOf(sleeping, WORKER)).toContain(
    'values.processes: Not available for an app that sleeps when idle.',
  );
  expect(await valuesOf(sleeping)).not.toHaveProperty('processes');
});

it('refuses sleep for an app with processes of its Procfile, unless they are turned off', async () => {
  const id = await graphql.createApp({ name: 'procfile' });
  const values = releaseValues(appValues('project'));
  const made = { appId: id, generation: 1, desiredHash: 'hash', values };
  const { number } = await store.addRelease(made);
  await store.addDetected(id, number, { processes: { clock: 'node clock.js' } });
  await store.endRelease({ appId: id, number, outcome: 'live' });
  expect(await problemOf(id, SLEEP)).toContain('values.sleep: ');
  expect(await problemOf(id, { processes: { clock: { replicas: 0 } } })).toBeUndefined();
  expect(await problemOf(id, SLEEP)).toBeUndefined();
  expect(await problemOf(id, { processes: null })).toContain(
    'values.processes: Not available for an app that sleeps when idle.',
  );
  await store.addDetected(id, number, { processes: { clock: 'a', mailer: 'b' } });
  expect(await problemOf(id, { env: { COLOUR: 'red' } })).toBeUndefined();
  expect(await problemOf(id, { processes: null, sleep: null })).toBeUndefined();
});
