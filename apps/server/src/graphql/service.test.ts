import { randomUUID } from 'node:crypto';
import { chartNameOf, INSERT_RESOURCE, type Session, UPDATE_RESOURCE } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend } from '../../test/backend.ts';
import { appValues } from '../../test/values.ts';

type GraphqlBody = {
  data?: Record<string, unknown>;
  errors?: { message: string; extensions: { code: string; path: string } }[];
};

let backend: Backend;
let ada: Session;
beforeAll(async () => {
  backend = await startBackend();
  ada = await backend.signUp();
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

const request = async (
  query: string,
  variables: unknown = {},
  session: Session | undefined = ada,
) => {
  const headers = session === undefined ? {} : bearer(session);
  const { status, body } = await backend.post<GraphqlBody>(
    '/v1/graphql',
    { query, variables },
    headers,
  );
  expect(status).toBe(200);
  return body;
};

async function insert(kind: 'project' | 'app', values: unknown, session = ada) {
  return await request(
    INSERT_RESOURCE,
    { userId: session.user.id, chartName: chartNameOf(kind), chartVersion: '0.0', values },
    session,
  );
}

function idOf(data: GraphqlBody['data']): string {
  const { id } = (data as { insert_resources_one: { id: string } }).insert_resources_one;
  return id;
}

async function createProject(session = ada): Promise<string> {
  const { data } = await insert('project', { userId: session.user.id, name: 'Harbour' }, session);
  return idOf(data);
}

async function createApp(session = ada, overrides = {}): Promise<string> {
  const values = { ...appValues(await createProject(session)), ...overrides };
  const { data, errors } = await insert('app', values, session);
  expect(errors).toBeUndefined();
  return idOf(data);
}

const byId = async (id: string, session = ada) => {
  const { data } = await request(
    'query ($id: uuid!) { resources_by_pk(id: $id) { id values status message deleted generation created_at } }',
    { id },
    session,
  );
  return data?.resources_by_pk as Record<string, unknown> | null;
};

const failure = (body: GraphqlBody) => {
  expect(body.data).toBeUndefined();
  return body.errors?.[0];
};

describe('insert', () => {
  it('creates a project', async () => {
    expect(await byId(await createProject())).toMatchObject({ status: 'synced', deleted: false });
  });

  it('creates an app that waits for the reconciler', async () => {
    expect(await byId(await createApp())).toMatchObject({
      status: 'syncing',
      generation: 1,
      created_at: expect.stringMatching(/\+00:00$/),
    });
  });

  it('accepts several objects at once', async () => {
    const objects = ['one', 'two'].map((name) => ({
      user_id: ada.user.id,
      chart_name: 'project',
      chart_version: '0.0',
      values: { userId: ada.user.id, name },
    }));
    const { data } = await request(
      'mutation ($objects: [resources_insert_input!]!) { insert_resources(objects: $objects) { affected_rows returning { values } } }',
      { objects },
    );
    expect(data?.insert_resources).toMatchObject({ affected_rows: 2 });
  });

  it('accepts a variable declared json as well as jsonb', async () => {
    const document = INSERT_RESOURCE.replace('jsonb!', 'json!');
    const values = { userId: ada.user.id, name: 'Json' };
    const variables = { userId: ada.user.id, chartName: 'project', chartVersion: '0.0', values };
    expect((await request(document, variables)).errors).toBeUndefined();
  });

  it('refuses a row of another user', async () => {
    const variables = {
      userId: randomUUID(),
      chartName: 'project',
      chartVersion: '0.0',
      values: { userId: ada.user.id, name: 'x' },
    };
    expect(failure(await request(INSERT_RESOURCE, variables))).toMatchObject({
      message: 'check constraint of an insert/update permission has failed',
      extensions: { code: 'permission-error' },
    });
  });

  it.each([
    ['name', { name: 'Not Valid' }, 'Must be lowercase a-z, 0-9, and - (no spaces or uppercase)'],
    [
      'ports',
      { ports: [{ number: 70_000, expose: true }] },
      'Port must be a number between 1 and 65535',
    ],
    [
      'source.url',
      { source: { enabled: true, url: 'file:///etc', ref: 'main' } },
      'must be enabled by the operator',
    ],
    [
      'source.url',
      { source: { enabled: true, url: 'ext::sh -c id', ref: 'main' } },
      'Source URL is not valid',
    ],
    [
      'source.ref',
      { source: { enabled: true, url: 'https://h/x', ref: '--upload-pack=id' } },
      'a branch, a tag or a commit',
    ],
    ['env.1BAD', { env: { '1BAD': 'x' } }, 'Must start with a letter'],
    ['instances', { instances: 50 }, 'Instances must be 0 or 1'],
    ['publicAccess.domain', { publicAccess: { enabled: true, domain: 'a b' } }, 'must look like'],
    [
      'publicAccess.domain',
      { publicAccess: { enabled: true, domain: 'victim-0123456789ab.localhost' } },
      'must not be below the base domain',
    ],
    [
      'publicAccess.domain',
      { publicAccess: { enabled: true, domain: 'Console.example.com' } },
      'must not be the host of the console',
    ],
    [
      'publicAccess.domains',
      { publicAccess: { enabled: true, domains: ['a.example.com', 'victim.localhost'] } },
      'must not be below the base domain',
    ],
    [
      'publicAccess.domains',
      { publicAccess: { enabled: false, domains: ['console.example.com'] } },
      'must not be the host of the console',
    ],
    [
      'publicAccess.domains',
      { publicAccess: { enabled: true, domains: ['*.example.com'] } },
      'Wildcard domains are not supported',
    ],
  ])('refuses an app with an invalid %s and names the field', async (field, overrides, message) => {
    const values = { ...appValues(await createProject()), ...overrides };
    const problem = failure(await insert('app', values));
    expect(problem?.message).toContain(`values.${field}: `);
    expect(problem?.message).toContain(message);
  });

  it('refuses an app in a project of another user as if it did not exist', async () => {
    const foreign = await createProject(await backend.signUp());
    const problem = failure(await insert('app', appValues(foreign)));
    expect(problem?.message).toBe('values.projectId: Project ID not found');
  });

  it('refuses to set columns of the server', async () => {
    const query = `mutation { insert_resources_one(object: {status: "synced"}) { id } }`;
    expect(failure(await request(query))?.extensions.code).toBe('validation-failed');
  });
});

describe('update', () => {
  it('changes values and increments the generation', async () => {
    const id = await createApp();
    const before = (await byId(id))?.values as Record<string, unknown>;
    await request(UPDATE_RESOURCE, { id, values: { ...before, instances: 0 } });
    expect(await byId(id)).toMatchObject({ generation: 2, values: { instances: 0 } });
  });

  it('resets the status when the values change, and keeps it otherwise', async () => {
    const id = await createApp();
    const settle = backend.db
      .updateTable('public.resources')
      .set({ status: 'synced', message: '' });
    await settle.where('id', '=', id).execute();
    const before = (await byId(id))?.values as Record<string, unknown>;
    await request(UPDATE_RESOURCE, { id, values: before });
    expect(await byId(id)).toMatchObject({ status: 'synced', generation: 1 });
    await request(UPDATE_RESOURCE, { id, values: { ...before, instances: 0 } });
    expect(await byId(id)).toMatchObject({ status: 'syncing', message: 'Waiting to reconcile' });
  });

  it('validates values as strictly as insert', async () => {
    const id = await createApp();
    const before = (await byId(id))?.values as Record<string, unknown>;
    const problem = failure(
      await request(UPDATE_RESOURCE, { id, values: { ...before, ports: [] } }),
    );
    expect(problem?.message).toBe('values.ports: Port number is required');
    expect((await byId(id))?.values).toEqual(before);
  });

  it('does not delete a project that has apps', async () => {
    const id = await createApp();
    const { values } = (await byId(id)) as { values: { projectId: string } };
    const { projectId } = values;
    const remove =
      'mutation ($id: uuid!) { update_resources_by_pk(pk_columns: {id: $id}, _set: {deleted: true}) { id } }';
    expect(failure(await request(remove, { id: projectId }))).toMatchObject({
      message: 'Please check dependencies first.',
      extensions: { code: 'constraint-violation' },
    });
    await request(remove, { id });
    expect((await request(remove, { id: projectId })).errors).toBeUndefined();
    expect(await byId(projectId)).toMatchObject({ deleted: true });
  });

  it('lets several accounts enter a domain, but only one app of each', async () => {
    const domain = `${randomUUID()}.example.com`;
    const publicAccess = { enabled: true, domain: 'auto', baseDomain: '', domains: [domain] };
    const id = await createApp(ada, { publicAccess });
    const eve = await backend.signUp();
    expect(await createApp(eve, { publicAccess })).toBeDefined();
    const values = { ...appValues(await createProject()), publicAccess };
    expect(failure(await insert('app', values))?.message).toBe(
      `values.publicAccess.domains: Your app hello already uses ${domain}. Remove it there first`,
    );
    const own = (await byId(id))?.values;
    expect((await request(UPDATE_RESOURCE, { id, values: own })).errors).toBeUndefined();
  });
});

describe('select', () => {
  it('filters, orders and limits', async () => {
    const bob = await backend.signUp();
    for (const name of ['c', 'a', 'b']) await insert('project', { userId: bob.user.id, name }, bob);
    const query = `{
      resources(
        where: {_and: [{deleted: {_eq: false}}, {_or: [{chart_name: {_in: ["project"]}}, {status: {_is_null: true}}]}], _not: {status: {_neq: "synced"}}}
        order_by: {created_at: desc}, limit: 2, offset: 1
      ) { values __typename }
    }`;
    const { data } = await request(query, {}, bob);
    expect(data?.resources).toEqual([
      { values: { userId: bob.user.id, name: 'a' }, __typename: 'resources' },
      { values: { userId: bob.user.id, name: 'c' }, __typename: 'resources' },
    ]);
  });

  it.each([
    [
      'an unknown field',
      '{ nothing { id } }',
      "field 'nothing' not found in type: 'query_root'",
      'validation-failed',
    ],
    [
      'a bad id',
      '{ resources_by_pk(id: "1; drop table") { id } }',
      'invalid input syntax for type uuid: "1; drop table"',
      'data-exception',
    ],
    ['a syntax error', '{ resources { ', 'Syntax Error', 'validation-failed'],
    [
      'a subscription',
      'subscription { resources { id } }',
      'subscriptions are not supported over HTTP',
      'unexpected-payload',
    ],
    [
      'two operations',
      'query A { resources { id } } query B { resources { id } }',
      'exactly one operation',
      'validation-failed',
    ],
    [
      'a null comparison',
      '{ resources(where: {id: {_eq: null}}) { id } }',
      'unexpected null value',
      'validation-failed',
    ],
    [
      'a negative limit',
      '{ resources(limit: -1) { id } }',
      'unexpected negative value',
      'validation-failed',
    ],
    [
      'too many fields',
      `{ ${Array.from({ length: 40 }, (_, at) => `f${at}: resources { id }`).join(' ')} }`,
      'at most 30',
      'validation-failed',
    ],
    [
      'too many fields behind the name of a fragment',
      `{ ...many } fragment many on query_root { ${Array.from({ length: 40 }, (_, at) => `f${at}: resources { id }`).join(' ')} }`,
      'at most 30',
      'validation-failed',
    ],
    [
      'no condition at all',
      '{ resources(where: null) { id } }',
      'unexpected null',
      'validation-failed',
    ],
    [
      'a condition that denies nothing',
      '{ resources(where: {_not: null}) { id } }',
      'unexpected null value',
      'validation-failed',
    ],
    [
      'an order without a direction',
      '{ resources(order_by: {id: null}) { id } }',
      'unexpected null value',
      'validation-failed',
    ],
  ])('responds to %s with the matching error', async (_, query, message, code) => {
    const problem = failure(await request(query));
    expect(problem?.message).toContain(message);
    expect(problem?.extensions.code).toBe(code);
  });
});

describe('callers', () => {
  it('reads the rows of each caller with the same query', async () => {
    const eve = await backend.signUp('eve-same-query@example.com');
    const [own, other] = [await createProject(eve), await createProject()];
    const list = 'query SameQuery { resources { id } me: resources(limit: 1) { user_id } }';
    for (let round = 0; round < 2; round += 1) {
      for (const [session, visible, hidden] of [
        [eve, own, other],
        [ada, other, own],
      ] as const) {
        const { data } = await request(list, {}, session);
        const { resources, me } = data as { resources: { id: string }[]; me: unknown };
        const ids = resources.map(({ id }) => id);
        expect(ids).toContain(visible);
        expect(ids).not.toContain(hidden);
        expect(me).toEqual([{ user_id: session.user.id }]);
      }
    }
  });

  it('returns no rows to a caller without a token', async () => {
    const { body } = await backend.post<GraphqlBody>('/v1/graphql', {
      query: '{ resources { id } }',
    });
    expect(failure(body)?.message).toBe("field 'resources' not found in type: 'query_root'");
  });

  it.each([
    ['a malformed header', { authorization: 'nonsense' }, 'invalid-headers'],
    ['a forged token', { authorization: 'Bearer a.b.c' }, 'invalid-jwt'],
  ])('responds to %s with 200 and an error', async (_, headers, code) => {
    const { status, body } = await backend.post<GraphqlBody>(
      '/v1/graphql',
      { query: '{ resources { id } }' },
      headers,
    );
    expect(status).toBe(200);
    expect(failure(body)?.extensions.code).toBe(code);
  });

  it('refuses a role the token does not allow', async () => {
    const headers = { ...bearer(ada), 'x-hasura-role': 'admin' };
    const { body } = await backend.post<GraphqlBody>(
      '/v1/graphql',
      { query: '{ resources { id } }' },
      headers,
    );
    expect(failure(body)?.message).toBe('Your requested role is not in allowed roles');
  });

  it('executes a batch one by one', async () => {
    const batch = [{ query: '{ resources { id } }' }, { query: '{ nothing }' }];
    const { body } = await backend.post<GraphqlBody[]>('/v1/graphql', batch, bearer(ada));
    expect(body.map((response) => Object.keys(response)[0])).toEqual(['data', 'errors']);
  });
});

it('accepts every name as an alias, also names that its own statements use', async () => {
  const eve = await backend.signUp();
  const id = await createProject(eve);
  const row = { row: id, t1: 'synced' };
  const names = '{ row: id t1: status }';
  const query = `{
    resources ${names}
    by_pk: resources_by_pk(id: "${id}") ${names}
    resources_aggregate { row: nodes ${names} t1: aggregate { row: count t1: max { row: status } } }
  }`;
  expect((await request(query, {}, eve)).data).toEqual({
    resources: [row],
    by_pk: row,
    resources_aggregate: { row: [row], t1: { row: 1, t1: { row: 'synced' } } },
  });
  const removal = `mutation { delete_resources(where: {}) { row: affected_rows t1: returning ${names} } }`;
  expect((await request(removal, {}, eve)).data).toEqual({
    delete_resources: { row: 1, t1: [row] },
  });
});
