import { isRecord, needsRelease } from '@longshore/contract';
import { isPassword } from '@longshore/edge-contract';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import {
  AS_ADMIN,
  type GraphqlFixture,
  startGraphqlFixture,
} from '../../test/graphql/graphql-fixture.ts';

const PASSWORD = 'open sesame';
const UPDATE = `mutation ($id: uuid!, $values: jsonb!) {
  update_resources_by_pk(pk_columns: {id: $id}, _set: {values: $values}) { values } }`;
const APPEND = `mutation ($id: uuid!, $values: jsonb!) {
  update_resources_by_pk(pk_columns: {id: $id}, _append: {values: $values}) { values } }`;

let graphql: GraphqlFixture;
beforeAll(async () => {
  graphql = await startGraphqlFixture();
});
afterAll(() => graphql.stop());
afterEach(() => vi.restoreAllMocks());

async function stored(id: string) {
  const query =
    'select values, generation, status, message, cause, updated_at from public.resources where id = $1';
  const { rows } = await graphql.backend.pool.query(query, [id]);
  return rows[0] as { values: Record<string, never>; generation: string; updated_at: Date };
}

async function storedPassword(id: string): Promise<string> {
  const { edge } = (await stored(id)).values as { edge?: { basicAuth?: { password?: string } } };
  return edge?.basicAuth?.password ?? '';
}

async function valuesOf(id: string): Promise<Record<string, unknown>> {
  const query = 'query ($id: uuid!) { resources_by_pk(id: $id) { values } }';
  const found = await graphql.result(query, { id });
  return isRecord(found) && isRecord(found.values) ? found.values : {};
}

it('stores the password of basic authentication as a hash, which no result contains', async () => {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const id = await graphql.createApp({
    edge: { basicAuth: { username: 'ada', password: PASSWORD } },
  });
  expect(JSON.stringify(query.mock.calls.map(([call]) => call))).not.toContain(PASSWORD);
  const hash = await storedPassword(id);
  expect(hash).toMatch(/^\$scrypt\$/);
  expect(await isPassword(PASSWORD, hash)).toBe(true);
  for (const as of [undefined, AS_ADMIN]) {
    const read = await graphql.request(
      `query ($id: uuid!) { resources_by_pk(id: $id) {
        values edge: values(path: "edge") basicAuth: values(path: "edge.basicAuth")
        password: values(path: "$.edge.basicAuth.password") name: values(path: "name") } }`,
      { id },
      as,
    );
    expect(read.data?.resources_by_pk).toEqual({
      values: expect.objectContaining({ edge: { basicAuth: { username: 'ada' } } }),
      edge: { basicAuth: { username: 'ada' } },
      basicAuth: { username: 'ada' },
      password: null,
      name: 'hello',
    });
  }
});

it('keeps the password when the values are sent back as they were read', async () => {
  const id = await graphql.createApp({
    edge: { maintenance: true, basicAuth: { username: 'ada', password: PASSWORD } },
  });
  const before = await stored(id);
  await graphql.result(UPDATE, { id, values: await valuesOf(id) });
  expect(await stored(id)).toEqual(before);
  const again = {
    ...(await valuesOf(id)),
    edge: { basicAuth: { username: 'a', password: PASSWORD } },
  };
  await graphql.result(UPDATE, { id, values: again });
  expect((await stored(id)).values.edge).toEqual({
    basicAuth: {
      username: 'a',
      password: (before.values.edge as never as { basicAuth: { password: string } }).basicAuth
        .password,
    },
  });
});

it('replaces and removes the password', async () => {
  const id = await graphql.createApp({
    edge: { basicAuth: { username: 'ada', password: PASSWORD } },
  });
  const edge = { basicAuth: { username: 'ada', password: 'another one' } };
  await graphql.result(APPEND, { id, values: { edge } });
  expect(await isPassword('another one', await storedPassword(id))).toBe(true);
  await graphql.result(APPEND, { id, values: { edge: {} } });
  expect((await stored(id)).values).not.toHaveProperty('edge');
});

it('treats the hash of another app as a password', async () => {
  const first = await graphql.createApp({
    edge: { basicAuth: { username: 'ada', password: PASSWORD } },
  });
  const hash = await storedPassword(first);
  const second = await graphql.createApp({
    edge: { basicAuth: { username: 'ada', password: hash } },
  });
  expect(await isPassword(PASSWORD, await storedPassword(second))).toBe(false);
});

it('is no new generation, so that nothing is built or restarted, but a change that others notice', async () => {
  const id = await graphql.createApp();
  const before = await stored(id);
  await graphql.result(APPEND, { id, values: { edge: { maintenance: true } } });
  const after = await stored(id);
  expect(after).toEqual({
    ...before,
    values: { ...before.values, edge: { maintenance: true } },
    updated_at: expect.any(Date),
  });
  expect(after.updated_at.getTime()).toBeGreaterThan(before.updated_at.getTime());
  expect(needsRelease(before.values as never, after.values as never)).toBe(false);
  const events = await graphql.result(
    'query ($id: uuid!) { events(where: {app_id: {_eq: $id}}, order_by: {id: asc}) { kind details } }',
    { id },
  );
  expect(events).toEqual([
    expect.objectContaining({ kind: 'created' }),
    { kind: 'edited', details: { changed: ['edge'] } },
  ]);
});

it.each<[string, object, string]>([
  ['an unknown setting', { cache: true }, 'values.edge.cache: Unknown setting'],
  ['an empty list of addresses', { allowedIps: [] }, 'values.edge.allowedIps: At least one'],
  ['a missing password', { basicAuth: { username: 'ada' } }, 'values.edge.basicAuth.password:'],
  [
    'a redirect of a foreign host',
    { redirects: [{ from: 'shop.example.com', to: 'https://example.com' }] },
    'values.edge.redirects: "shop.example.com" is not a domain of this app',
  ],
])('refuses %s and changes nothing', async (_, edge, message) => {
  const id = await graphql.createApp();
  const before = await stored(id);
  const error = await graphql.error(APPEND, { id, values: { edge } });
  expect(error.message).toContain(message);
  expect(await stored(id)).toEqual(before);
});

it('redirects a custom domain, also after the domain was removed from the app', async () => {
  const access = { enabled: true, domain: 'auto', baseDomain: 'localhost' };
  const id = await graphql.createApp({ publicAccess: { ...access, domains: ['example.com'] } });
  const redirects = [{ from: 'example.com', to: 'https://www.example.com' }];
  await graphql.result(APPEND, { id, values: { edge: { redirects } } });
  await graphql.result(APPEND, { id, values: { publicAccess: access } });
  expect((await stored(id)).values.edge).toEqual({ redirects });
});
