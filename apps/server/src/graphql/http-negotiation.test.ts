import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, bearer, startBackend, stopWithoutErrors } from '../../test/backend.ts';

const PATH = '/v1/graphql';
const JSON_TYPE = 'application/json';
const GRAPHQL_TYPE = 'application/graphql-response+json';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(() => stopWithoutErrors(backend));

const VALID = '{ __typename }';
const INVALID = '{ nothing }';

function send(query: string, headers: Record<string, string>) {
  return backend.request(PATH, {
    method: 'POST',
    body: JSON.stringify({ query }),
    headers: { 'content-type': JSON_TYPE, ...headers },
  });
}

describe('the response type', () => {
  it.each([
    ['no Accept header', {}, JSON_TYPE, 200],
    ['nhost-js and Apollo Client 3', { accept: '*/*' }, JSON_TYPE, 200],
    ['an application/json client', { accept: JSON_TYPE }, JSON_TYPE, 200],
    ['any application type', { accept: 'application/*' }, JSON_TYPE, 200],
    ['an unknown type', { accept: 'text/html' }, JSON_TYPE, 200],
    ['a malformed header', { accept: ';;q=,,' }, JSON_TYPE, 200],
    ['a refused newer type', { accept: `${GRAPHQL_TYPE};q=0, */*` }, JSON_TYPE, 200],
    ['a preferred older type', { accept: `${JSON_TYPE}, ${GRAPHQL_TYPE};q=0.9` }, JSON_TYPE, 200],
    ['the newer type', { accept: GRAPHQL_TYPE }, GRAPHQL_TYPE, 400],
    ['upper case', { accept: 'Application/GraphQL-Response+JSON' }, GRAPHQL_TYPE, 400],
    ['Apollo Client 4', { accept: `${GRAPHQL_TYPE},${JSON_TYPE};q=0.9` }, GRAPHQL_TYPE, 400],
    [
      'urql',
      { accept: `${GRAPHQL_TYPE}, application/graphql+json, ${JSON_TYPE}, text/event-stream` },
      GRAPHQL_TYPE,
      400,
    ],
  ])('for %s, %j, is %s, and an error has the status %i', async (_, headers, type, status) => {
    const valid = await send(VALID, headers);
    expect(valid).toMatchObject({ status: 200, body: { data: { __typename: 'query_root' } } });
    expect(valid.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    const invalid = await send(INVALID, headers);
    expect(invalid.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    expect(invalid.status).toBe(status);
    expect(invalid.body).toEqual({
      errors: [
        {
          message: "field 'nothing' not found in type: 'query_root'",
          extensions: { path: '$.selectionSet.nothing', code: 'validation-failed' },
        },
      ],
    });
  });

  it.each([
    ['a malformed token', { authorization: 'nonsense' }, 401],
    ['an invalid token', { authorization: 'Bearer a.b.c' }, 401],
    ['a wrong admin secret', { 'x-hasura-admin-secret': 'wrong' }, 403],
  ])('decides about the status for %s', async (_, headers, status) => {
    expect((await send(VALID, { ...headers, accept: '*/*' })).status).toBe(200);
    expect((await send(VALID, { ...headers, accept: GRAPHQL_TYPE })).status).toBe(status);
  });

  it('is application/json for a batch, which the specification does not know', async () => {
    const batch = [{ query: VALID }, { query: INVALID }];
    const response = await backend.post(PATH, batch, { accept: GRAPHQL_TYPE });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(`${JSON_TYPE}; charset=utf-8`);
  });
});

describe('a request', () => {
  it.each([JSON_TYPE, 'application/json; charset=utf-8', 'Application/JSON'])(
    'with the content type %s is executed',
    async (type) => expect((await send(VALID, { 'content-type': type })).status).toBe(200),
  );

  it.each(['', 'text/plain', 'application/x-www-form-urlencoded', 'application/jsonp'])(
    'with the content type "%s" is refused, and changes nothing',
    async (type) => {
      const session = await backend.signUp();
      const insert = `mutation { insert_resources_one(object: {
        user_id: "${session.user.id}", chart_name: "project", chart_version: "0.0",
        values: {userId: "${session.user.id}", name: "x"}
      }) { id } }`;
      const headers = bearer(session);
      expect(await send(insert, { ...headers, 'content-type': type })).toMatchObject({
        status: 415,
        body: { error: 'unsupported-media-type' },
      });
      expect((await send('{ resources { id } }', headers)).body).toEqual({
        data: { resources: [] },
      });
      expect((await send(insert, headers)).body).toHaveProperty('data');
    },
  );
});
