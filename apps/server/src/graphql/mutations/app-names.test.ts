import { randomUUID } from 'node:crypto';
import {
  type AppValues,
  chartNameOf,
  INSERT_RESOURCE,
  isRecord,
  UPDATE_RESOURCE,
} from '@longshore/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  AS_ADMIN,
  type GraphqlFixture,
  startGraphqlFixture,
} from '../../../test/graphql/graphql-fixture.ts';
import { appValues } from '../../../test/values.ts';

const REFUSED = {
  message: 'values.name: Another app of this project already has this name',
  extensions: { code: 'constraint-violation' },
};

let graphql: GraphqlFixture;
let projectId: string;
beforeAll(async () => {
  graphql = await startGraphqlFixture();
});
afterAll(() => graphql.stop());
beforeEach(async () => {
  projectId = await graphql.createProject();
});

const app = (name: string, changes: Partial<AppValues> = {}) => ({
  user_id: graphql.ada.user.id,
  chart_name: chartNameOf('app'),
  chart_version: '0.0',
  values: { ...appValues(projectId), name, ...changes },
});

const create = (name: string, project = projectId) =>
  graphql.createApp({ name, projectId: project });

/** As a version without this rule stored it. */
async function storeDuplicate(name: string): Promise<string> {
  const row = app(name);
  const { id } = await graphql.backend.db
    .insertInto('public.resources')
    .values({ ...row, values: JSON.stringify(row.values) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function storedNames(): Promise<string[]> {
  const rows = await graphql.result(
    'query ($in: jsonb!) { resources(where: {deleted: {_eq: false}, values: {_contains: $in}}) { values(path: "name") } }',
    { in: { projectId } },
  );
  return Array.isArray(rows) ? rows.map(({ values }) => String(values)).sort() : [];
}

const remove = (id: string) =>
  graphql.result('mutation ($id: uuid!) { delete_resources_by_pk(id: $id) { id } }', { id });

const update = (change: string) =>
  `mutation ($id: uuid!) { update_resources_by_pk(pk_columns: {id: $id}, ${change}) { id } }`;

describe('the name of another app of the project is refused', () => {
  it.each([
    [
      'for a new app',
      'mutation ($shop: resources_insert_input!) { insert_resources_one(object: $shop) { id } }',
    ],
    [
      'for one of several new apps',
      'mutation ($shop: resources_insert_input!, $web: resources_insert_input!) { insert_resources(objects: [$web, $shop]) { affected_rows } }',
    ],
    [
      'for two new apps',
      'mutation ($web: resources_insert_input!) { insert_resources(objects: [$web, $web]) { affected_rows } }',
    ],
    ['for a renamed app', update('_append: {values: {name: "shop"}}')],
    [
      'for several renamed apps',
      'mutation ($projectId: jsonb!) { update_resources(where: {values: {_contains: $projectId}}, _append: {values: {name: "web"}}) { affected_rows } }',
    ],
  ])('%s', async (_, mutation) => {
    await create('shop');
    const id = await create('blog');
    const variables = { id, shop: app('shop'), web: app('web'), projectId: { projectId } };
    const used = Object.entries(variables).filter(([name]) => mutation.includes(`$${name}`));
    expect(await graphql.error(mutation, Object.fromEntries(used))).toMatchObject(REFUSED);
    expect(await storedNames()).toEqual(['blog', 'shop']);
  });

  it('for an app that is moved into the project', async () => {
    await create('shop');
    const id = await create('shop', await graphql.createProject());
    for (const target of [projectId, projectId.toUpperCase()]) {
      const move = update(`_append: {values: {projectId: "${target}"}}`);
      expect(await graphql.error(move, { id })).toMatchObject(REFUSED);
    }
  });

  it('for an app that is restored', async () => {
    const id = await create('shop');
    await remove(id);
    await create('shop');
    expect(await graphql.error(update('_set: {deleted: false}'), { id })).toMatchObject(REFUSED);
    const renamed = update('_set: {deleted: false}, _append: {values: {name: "old-shop"}}');
    expect(await graphql.result(renamed, { id })).toEqual({ id });
  });

  it('for an upsert of the operator', async () => {
    await create('shop');
    const id = await create('blog');
    const upsert = `mutation ($object: resources_insert_input!) { insert_resources_one(
      object: $object, on_conflict: {constraint: resources_pkey, update_columns: [values]}) { id } }`;
    for (const object of [
      { ...app('shop'), id },
      { ...app('shop'), id: randomUUID() },
    ]) {
      expect(await graphql.error(upsert, { object }, AS_ADMIN)).toMatchObject(REFUSED);
    }
  });
});

it('accepts the name of an app of another project, of another user and of a deleted app', async () => {
  await remove(await create('shop'));
  await create('shop');
  await create('shop', await graphql.createProject());
  const eve = await graphql.backend.signUp();
  await graphql.createApp({ name: 'shop' }, eve);
  expect(await storedNames()).toEqual(['shop']);
});

it('accepts one of several concurrent apps of the same name', async () => {
  const other = await create('blog');
  const variables = {
    userId: graphql.ada.user.id,
    chartName: chartNameOf('app'),
    chartVersion: '0.0',
    values: { ...appValues(projectId), name: 'shop' },
  };
  const results = await Promise.all([
    ...Array.from({ length: 5 }, () => graphql.request(INSERT_RESOURCE, variables)),
    graphql.request(update('_append: {values: {name: "shop"}}'), { id: other }),
  ]);
  expect(results.filter(({ errors }) => errors === undefined)).toHaveLength(1);
  expect((await storedNames()).filter((name) => name === 'shop')).toHaveLength(1);
});

describe('apps that had the same name before', () => {
  it('can be edited, hibernated and renamed', async () => {
    const id = await create('shop');
    const twin = await storeDuplicate('shop');
    for (const each of [id, twin]) {
      const edit = { ...appValues(projectId), name: 'shop', env: { A: '1' }, instances: 0 };
      await graphql.result(UPDATE_RESOURCE, { id: each, values: edit });
      const row = await graphql.result(
        'query ($id: uuid!) { resources_by_pk(id: $id) { values } }',
        { id: each },
      );
      expect(isRecord(row) && row.values).toMatchObject({ env: { A: '1' }, instances: 0 });
    }
    await graphql.result(update('_append: {values: {name: "store"}}'), { id: twin });
    const back = update('_append: {values: {name: "shop"}}');
    expect(await graphql.error(back, { id: twin })).toMatchObject(REFUSED);
    expect(await storedNames()).toEqual(['shop', 'store']);
  });
});
