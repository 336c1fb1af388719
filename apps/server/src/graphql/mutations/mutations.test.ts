import { randomUUID } from 'node:crypto';
import { isRecord, UPDATE_UNCHANGED_RESOURCE } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer } from '../../../test/backend.ts';
import {
  AS_ADMIN,
  type GraphqlFixture,
  startGraphqlFixture,
} from '../../../test/graphql/graphql-fixture.ts';

let graphql: GraphqlFixture;
beforeAll(async () => {
  graphql = await startGraphqlFixture();
});
afterAll(() => graphql.stop());

async function rowOf(id: string): Promise<Record<string, unknown>> {
  const query =
    'query ($id: uuid!) { resources_by_pk(id: $id) { values deleted generation chart_version updated_at } }';
  const row = await graphql.result(query, { id });
  return isRecord(row) ? row : {};
}

async function valuesOf(id: string): Promise<Record<string, unknown>> {
  const { values } = await rowOf(id);
  return isRecord(values) ? values : {};
}

const update = (change: string) =>
  `mutation ($id: uuid!) { update_resources_by_pk(pk_columns: {id: $id}, ${change}) { id } }`;

describe('the jsonb operators of an update', () => {
  it.each([
    ['_append: {values: {env: {A: "1"}}}', { env: { A: '1' } }],
    ['_append: {values: {instances: 0}}', { instances: 0 }],
    ['_prepend: {values: {name: "loses", env: {B: "2"}}}', { name: 'hello', env: { C: '3' } }],
    ['_delete_at_path: {values: ["env", "C"]}', { env: {} }],
    ['_delete_key: {values: "unknown"}', { name: 'hello' }],
  ])('%s', async (change, expected) => {
    const id = await graphql.createApp({ env: { C: '3' } });
    await graphql.result(update(change), { id });
    expect(await valuesOf(id)).toMatchObject(expected);
  });

  it.each([
    ['_append: {values: {instances: 7}}', 'values.instances: Instances must be 0 or 1'],
    ['_delete_key: {values: "name"}', 'values.name: Application name is required'],
    ['_append: {values: [1]}', 'values.'],
    ['_delete_elem: {values: 0}', 'cannot delete from object using integer index'],
    ['_append: {values: null}', 'unexpected null value'],
    ['_set: {values: null}', 'Not-NULL violation. null value in column "values"'],
    ['_set: {deleted: null}', 'Not-NULL violation. null value in column "deleted"'],
    ['_set: {values: {}}, _append: {values: {}}', 'Column found in multiple operators: "values".'],
  ])('%s is rejected and writes nothing', async (change, message) => {
    const id = await graphql.createApp();
    const before = await rowOf(id);
    expect((await graphql.error(update(change), { id })).message).toContain(message);
    expect(await rowOf(id)).toEqual(before);
  });
});

describe('an edit', () => {
  const edit = `mutation ($id: uuid!, $generation: bigint) {
    update_resources_by_pk(pk_columns: {id: $id}, _append: {values: {instances: 0}}, generation: $generation) { generation }
  }`;

  it('is accepted for the current generation', async () => {
    const id = await graphql.createApp();
    expect(await graphql.result(edit, { id, generation: 1 })).toEqual({ generation: 2 });
  });

  it('is rejected for an older generation, and writes nothing', async () => {
    const id = await graphql.createApp();
    await graphql.result(update('_append: {values: {name: "other"}}'), { id });
    const before = await rowOf(id);
    expect(await graphql.error(edit, { id, generation: 1 })).toMatchObject({
      message:
        'The resource has changed: it is at generation 2, but the edit is based on generation 1',
      extensions: { code: 'conflict' },
    });
    expect(await rowOf(id)).toEqual(before);
  });

  it('is rejected for several rows if one of them is newer', async () => {
    const [first, second] = [await graphql.createApp(), await graphql.createApp()];
    await graphql.result(update('_append: {values: {name: "other"}}'), { id: second });
    const many = `mutation ($ids: [uuid!]!) {
      update_resources(where: {id: {_in: $ids}}, _append: {values: {instances: 0}}, generation: 1) { affected_rows }
    }`;
    const refused = await graphql.error(many, { ids: [first, second] });
    expect(refused.extensions.code).toBe('conflict');
    expect(await valuesOf(first)).toMatchObject({ instances: 1 });
  });

  it('is accepted without a generation', async () => {
    const id = await graphql.createApp();
    await graphql.result(update('_append: {values: {name: "other"}}'), { id });
    expect(await graphql.result(edit, { id })).toEqual({ generation: 3 });
  });

  it('succeeds for only one of two concurrent edits', async () => {
    const id = await graphql.createApp();
    const both = await Promise.all([1, 2].map(() => graphql.request(edit, { id, generation: 1 })));
    expect(both.filter(({ errors }) => errors === undefined)).toHaveLength(1);
  });
});

describe("an edit of the client's, based on the time of the last change", () => {
  const edit = async (id: string, updatedAt: unknown, name = 'renamed') => {
    const values = { ...(await valuesOf(id)), name };
    return graphql.result(UPDATE_UNCHANGED_RESOURCE, { id, values, updatedAt });
  };
  const changed = (id: string) => ({ returning: [{ id }] });

  it('is accepted, also after a new status', async () => {
    const id = await graphql.createApp();
    const { updated_at: before } = await rowOf(id);
    await graphql.backend.db
      .updateTable('public.resources')
      .set({ status: 'synced', message: '' })
      .where('id', '=', id)
      .execute();
    expect(await edit(id, before)).toEqual(changed(id));
    expect((await rowOf(id)).updated_at).not.toBe(before);
  });

  it.each([
    ['an edit', update('_append: {values: {name: "other"}}')],
    ['a redeployment', 'mutation ($id: uuid!) { redeploy_app(id: $id) { id } }'],
  ])('changes nothing after %s', async (_, mutation) => {
    const id = await graphql.createApp();
    const { updated_at: before } = await rowOf(id);
    await graphql.result(mutation, { id });
    const row = await rowOf(id);
    expect(await edit(id, before)).toEqual({ returning: [] });
    expect(await rowOf(id)).toEqual(row);
  });

  it('succeeds for only one of two concurrent edits', async () => {
    const id = await graphql.createApp();
    const { updated_at: before } = await rowOf(id);
    const both = await Promise.all([edit(id, before, 'one'), edit(id, before, 'two')]);
    expect(both).toHaveLength(2);
    expect(both).toContainEqual(changed(id));
    expect(both).toContainEqual({ returning: [] });
  });
});

describe('deleting', () => {
  it('sets deleted and returns the row, once', async () => {
    const id = await graphql.createApp();
    const remove = 'mutation ($id: uuid!) { delete_resources_by_pk(id: $id) { id deleted } }';
    expect(await graphql.result(remove, { id })).toEqual({ id, deleted: true });
    expect(await graphql.result(remove, { id })).toBeNull();
    expect(await rowOf(id)).toMatchObject({ deleted: true });
  });

  it('deletes only the matching rows', async () => {
    const [first, second] = [await graphql.createApp(), await graphql.createApp()];
    const remove = `mutation ($id: uuid!) {
      delete_resources(where: {id: {_eq: $id}}) { affected_rows returning { id } __typename }
    }`;
    expect(await graphql.result(remove, { id: first })).toEqual({
      affected_rows: 1,
      returning: [{ id: first }],
      __typename: 'resources_mutation_response',
    });
    expect(await rowOf(second)).toMatchObject({ deleted: false });
  });

  it('rejects a project that has apps', async () => {
    const projectId = await graphql.createProject();
    await graphql.createApp({ projectId });
    const remove = 'mutation ($id: uuid!) { delete_resources_by_pk(id: $id) { id } }';
    expect(await graphql.error(remove, { id: projectId })).toMatchObject({
      message: 'Please check dependencies first.',
      extensions: { code: 'constraint-violation' },
    });
  });
});

describe('several changes at once', () => {
  it('return one response per update, in order', async () => {
    const [first, second] = [await graphql.createApp(), await graphql.createApp()];
    const many = `mutation ($a: uuid!, $b: uuid!) { update_resources_many(updates: [
      {where: {id: {_eq: $b}}, _append: {values: {instances: 0}}},
      {where: {id: {_eq: $a}}, _set: {deleted: true}},
      {where: {id: {_in: []}}, _set: {deleted: true}}
    ]) { affected_rows returning { id deleted } } }`;
    expect(await graphql.result(many, { a: first, b: second })).toEqual([
      { affected_rows: 1, returning: [{ id: second, deleted: false }] },
      { affected_rows: 1, returning: [{ id: first, deleted: true }] },
      { affected_rows: 0, returning: [] },
    ]);
    expect(
      await graphql.result('mutation { update_resources_many(updates: []) { affected_rows } }'),
    ).toEqual([]);
  });

  it('are atomic', async () => {
    const id = await graphql.createApp();
    const both = `mutation ($id: uuid!) {
      first: update_resources_by_pk(pk_columns: {id: $id}, _append: {values: {instances: 0}}) { id }
      second: update_resources_by_pk(pk_columns: {id: $id}, _append: {values: {instances: 7}}) { id }
    }`;
    await graphql.error(both, { id });
    expect(await valuesOf(id)).toMatchObject({ instances: 1 });
  });

  it('return rows in the order of the request', async () => {
    const objects = ['z', 'a', 'm'].map((name) => ({
      user_id: graphql.ada.user.id,
      chart_name: 'project',
      chart_version: '0.0',
      values: { userId: graphql.ada.user.id, name },
    }));
    const insert =
      'mutation ($objects: [resources_insert_input!]!) { insert_resources(objects: $objects) { returning { values(path: "name") } } }';
    expect(await graphql.result(insert, { objects })).toEqual({
      returning: [{ values: 'z' }, { values: 'a' }, { values: 'm' }],
    });
  });
});

describe('an admin', () => {
  const upsert = `mutation ($object: resources_insert_input!, $columns: [resources_update_column!]!) {
    insert_resources_one(object: $object, on_conflict: {constraint: resources_pkey, update_columns: $columns}) { id values(path: "name") }
  }`;
  const project = (id: string, name: string) => ({
    id,
    user_id: graphql.ada.user.id,
    chart_name: 'project',
    chart_version: '0.0',
    values: { userId: graphql.ada.user.id, name },
  });

  it('inserts rows of any user with a chosen id, and resolves conflicts', async () => {
    const id = randomUUID();
    const put = (name: string, columns: string[]) =>
      graphql.result(upsert, { object: project(id, name), columns }, AS_ADMIN);
    expect(await put('first', [])).toEqual({ id, values: 'first' });
    expect(await put('ignored', [])).toBeNull();
    expect(await put('second', ['values'])).toEqual({ id, values: 'second' });
    const plain =
      'mutation ($object: resources_insert_input!) { insert_resources_one(object: $object) { id } }';
    const object = project(id, 'third');
    expect(await graphql.error(plain, { object }, AS_ADMIN)).toEqual({
      message:
        'Uniqueness violation. duplicate key value violates unique constraint "resources_pkey"',
      extensions: {
        code: 'constraint-violation',
        path: '$.selectionSet.insert_resources_one.args.object',
      },
    });
    const unknownUser = { ...project(randomUUID(), 'x'), user_id: randomUUID() };
    const values = { userId: unknownUser.user_id, name: 'x' };
    const orphan = await graphql.error(plain, { object: { ...unknownUser, values } }, AS_ADMIN);
    expect(orphan.message).toContain('Foreign key violation. insert or update on table');
  });

  it('changes rows of any user, by the same rules', async () => {
    const id = await graphql.createApp();
    const change = update('_set: {chart_version: "0.1"}, _append: {values: {instances: 0}}');
    expect(await graphql.result(change, { id }, AS_ADMIN)).toEqual({ id });
    expect(await rowOf(id)).toMatchObject({ chart_version: '0.1' });
    const bad = update('_append: {values: {instances: 7}}');
    expect((await graphql.error(bad, { id }, AS_ADMIN)).message).toContain('values.instances');
    const eve = await graphql.backend.signUp();
    const foreign = await graphql.createProject(eve);
    const move = `_append: {values: {projectId: "${foreign}"}}`;
    expect((await graphql.error(update(move), { id }, AS_ADMIN)).message).toContain(
      'Project ID not found',
    );
    expect(await graphql.result(update('_set: {deleted: true}'), { id }, bearer(eve))).toBeNull();
  });
});

it('does not let a user choose the id of a row', async () => {
  const insert = `mutation { insert_resources_one(object: {id: "${randomUUID()}"}) { id } }`;
  expect((await graphql.error(insert)).message).toBe(
    "field 'id' not found in type: 'resources_insert_input'",
  );
});
