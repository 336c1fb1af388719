import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer } from '../../test/backend.ts';
import {
  AS_ADMIN,
  type GraphqlFixture,
  startGraphqlFixture,
} from '../../test/graphql/graphql-fixture.ts';
import { createGraphqlCallerResolver } from './resolve-caller.ts';

let graphql: GraphqlFixture;
beforeAll(async () => {
  graphql = await startGraphqlFixture();
  await graphql.createProject();
});
afterAll(() => graphql.stop());

const ALL = '{ resources { user_id } }';

describe('the admin secret', () => {
  it('reads the rows of all users', async () => {
    const eve = await graphql.backend.signUp();
    await graphql.createProject(eve);
    const rows = (await graphql.result(ALL, {}, AS_ADMIN)) as { user_id: string }[];
    expect(new Set(rows.map((row) => row.user_id))).toEqual(
      new Set([graphql.ada.user.id, eve.user.id]),
    );
  });

  it.each(['user', 'me'])('acts as a user in the role %s', async (role) => {
    const headers = { ...AS_ADMIN, 'x-hasura-role': role, 'x-hasura-user-id': graphql.ada.user.id };
    expect(await graphql.result(ALL, {}, headers)).toEqual([{ user_id: graphql.ada.user.id }]);
    const set = `mutation { update_resources(where: {}, _set: {chart_version: "1"}) { affected_rows } }`;
    expect((await graphql.error(set, {}, headers)).message).toContain("'chart_version' not found");
  });

  it.each([
    ['user', {}, 'missing session variable: "x-hasura-user-id"', 'not-found'],
    [
      'user',
      { 'x-hasura-user-id': 'x' },
      'invalid input syntax for type uuid: "x"',
      'data-exception',
    ],
    ['public', {}, "field 'resources' not found in type: 'query_root'", 'validation-failed'],
    ['editor', {}, "field 'resources' not found in type: 'query_root'", 'validation-failed'],
  ])('is refused in the role %s with %j', async (role, more, message, code) => {
    const refused = await graphql.error(ALL, {}, { ...AS_ADMIN, 'x-hasura-role': role, ...more });
    expect(refused).toMatchObject({ message, extensions: { code } });
  });

  it.each([{}, { 'x-hasura-role': 'admin' }])(
    'is refused when it is wrong, token or not',
    async (more) => {
      const headers = { ...bearer(graphql.ada), 'x-hasura-admin-secret': 'wrong', ...more };
      expect(await graphql.error(ALL, {}, headers)).toEqual({
        message: 'invalid "x-hasura-admin-secret"/"x-hasura-access-key"',
        extensions: { code: 'access-denied', path: '$' },
      });
    },
  );

  it.each(['', 'undefined', 'the secret of an operator'])(
    '%j is refused if no secret is configured',
    async (secret) => {
      const resolveCaller = createGraphqlCallerResolver({
        adminSecret: undefined,
        checkBearer: async () => ({ kind: 'unauthenticated' }),
      });
      const headers: Record<string, string> = { 'x-hasura-admin-secret': secret };
      await expect(resolveCaller((name) => headers[name])).rejects.toThrow(
        'invalid "x-hasura-admin-secret"',
      );
    },
  );
});

describe('a token', () => {
  it('acts as a user in the role me', async () => {
    const headers = { ...bearer(graphql.ada), 'x-hasura-role': 'me' };
    expect(await graphql.result(ALL, {}, headers)).toEqual([{ user_id: graphql.ada.user.id }]);
  });

  it('ignores the user id in a header', async () => {
    const eve = await graphql.backend.signUp();
    const headers = { ...bearer(eve), 'x-hasura-user-id': graphql.ada.user.id };
    expect(await graphql.result(ALL, {}, headers)).toEqual([]);
  });
});

describe('an unauthenticated caller', () => {
  it.each([
    ['mutation { insert_resources_one(object: {}) { id } }', 'no mutations exist'],
    [ALL, "field 'resources' not found in type: 'query_root'"],
  ])('is refused %s', async (query, message) => {
    expect((await graphql.error(query, {}, {})).message).toBe(message);
  });

  it('sees a schema without tables', async () => {
    const query = '{ __schema { types { name } } no_queries_available }';
    const { data } = await graphql.request(query, {}, { 'x-hasura-role': 'user' });
    expect(JSON.stringify(data)).not.toContain('resources');
    expect(data?.no_queries_available).toContain('no queries');
  });
});

it('shows each role the columns it may set', async () => {
  const query = '{ __type(name: "resources_insert_input") { inputFields { name } } }';
  const names = async (headers?: Record<string, string>) => {
    const type = (await graphql.result(query, {}, headers)) as { inputFields: { name: string }[] };
    return type.inputFields.map(({ name }) => name);
  };
  expect(await names()).toEqual(['user_id', 'chart_name', 'chart_version', 'values']);
  expect(await names(AS_ADMIN)).toEqual(['id', 'user_id', 'chart_name', 'chart_version', 'values']);
});
