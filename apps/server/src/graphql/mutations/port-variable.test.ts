import {
  type AppValues,
  chartNameOf,
  INSERT_RESOURCE,
  isRecord,
  ROLLBACK_APP,
  releaseValues,
} from '@longshore/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  AS_ADMIN,
  type GraphqlFixture,
  startGraphqlFixture,
} from '../../../test/graphql/graphql-fixture.ts';
import { appValues, storedValues, VARIABLES } from '../../../test/values.ts';
import { createReconcilerStore } from '../../apps/reconciler-store.ts';

const REFUSED = {
  message: 'values.env.PORT: Use the port setting',
  extensions: { code: 'validation-failed' },
};
const UPSERT = `mutation ($object: resources_insert_input!) { insert_resources_one(
  object: $object, on_conflict: {constraint: resources_pkey, update_columns: [values]}) { id } }`;

let graphql: GraphqlFixture;
beforeAll(async () => {
  graphql = await startGraphqlFixture();
});
afterAll(() => graphql.stop());

const append = (values: string) =>
  `mutation ($id: uuid!) {
    update_resources_by_pk(pk_columns: {id: $id}, _append: {values: ${values}}) { id }
  }`;

async function rowOf(id: string): Promise<Record<string, unknown>> {
  const query = 'query ($id: uuid!) { resources_by_pk(id: $id) { values generation } }';
  const row = await graphql.result(query, { id });
  return isRecord(row) ? row : {};
}

/** An app as a version without this rule stored it. */
async function storeApp(env: Record<string, string>): Promise<string> {
  const id = await graphql.createApp();
  const { values } = await rowOf(id);
  const { db } = graphql.backend;
  await db
    .updateTable('public.resources')
    .set({ values: await storedValues(db, id, { ...(values as AppValues), env }) })
    .where('id', '=', id)
    .execute();
  return id;
}

it('is refused in a new app', async () => {
  const values = { ...appValues(await graphql.createProject()), env: { A: '1', PORT: '3000' } };
  const row = { userId: graphql.ada.user.id, chartName: chartNameOf('app'), chartVersion: '0.0' };
  expect(await graphql.error(INSERT_RESOURCE, { ...row, values })).toMatchObject(REFUSED);
});

it('is allowed in lower case', async () => {
  const id = await graphql.createApp({ env: { port: '3000' } });
  expect((await rowOf(id)).values).toMatchObject({ env: { port: '3000' } });
});

it('is refused in an edit, which writes nothing', async () => {
  const id = await graphql.createApp({ env: { A: '1' } });
  const before = await rowOf(id);
  expect(await graphql.error(append('{env: {PORT: "3000"}}'), { id })).toMatchObject(REFUSED);
  expect(await rowOf(id)).toEqual(before);
});

it('is refused in an upsert of an existing app, which writes nothing', async () => {
  const id = await graphql.createApp();
  const before = await rowOf(id);
  const values = { ...(isRecord(before.values) ? before.values : {}), env: { PORT: '3000' } };
  const object = { id, chart_name: chartNameOf('app'), values };
  expect(await graphql.error(UPSERT, { object }, AS_ADMIN)).toMatchObject(REFUSED);
  expect(await rowOf(id)).toEqual(before);
});

it('of an older version stays when another field is edited, and can be removed but not changed', async () => {
  const id = await storeApp({ A: '1', PORT: '3000' });
  await graphql.result(append('{instances: 0}'), { id });
  await graphql.result(append('{env: {PORT: "3000", A: "2"}}'), { id });
  expect((await rowOf(id)).values).toMatchObject({
    instances: 0,
    env: { A: '2', PORT: '3000' },
  });
  expect(await graphql.error(append('{env: {PORT: "80"}}'), { id })).toMatchObject(REFUSED);
  await graphql.result(append('{env: {A: "2"}}'), { id });
  expect(await graphql.error(append('{env: {PORT: "3000"}}'), { id })).toMatchObject(REFUSED);
});

it('of an older version does not prevent that a deleted app is restored', async () => {
  const id = await storeApp({ PORT: '3000' });
  const setDeleted = `mutation ($id: uuid!, $deleted: Boolean!) {
    update_resources_by_pk(pk_columns: {id: $id}, _set: {deleted: $deleted}) { id }
  }`;
  await graphql.result(setDeleted, { id, deleted: true });
  expect(await graphql.result(setDeleted, { id, deleted: false })).toEqual({ id });
});

it('is restored with a release of an older version by a rollback', async () => {
  const id = await graphql.createApp();
  const store = createReconcilerStore({ db: graphql.backend.db, variables: VARIABLES });
  const values = { ...releaseValues(appValues('project')), env: { PORT: '3000' } };
  const { number } = await store.addRelease({ appId: id, generation: 1, desiredHash: 'h', values });
  await store.setRevision(id, number, '0123456789abcdef0123456789abcdef01234567');
  await store.endRelease({ appId: id, number, outcome: 'live' });
  await graphql.result(ROLLBACK_APP, { id, release: number });
  expect((await rowOf(id)).values).toMatchObject({ env: { PORT: '3000' } });
});
