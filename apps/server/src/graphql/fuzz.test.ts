import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bearer } from '../../test/backend.ts';
import { type GraphqlFixture, startGraphqlFixture } from '../../test/graphql/graphql-fixture.ts';
import type { HasuraError } from './hasura-error.ts';

let graphql: GraphqlFixture;
beforeAll(async () => {
  graphql = await startGraphqlFixture();
  await graphql.createApp();
});
afterAll(() => graphql.stop());

/** Expects data or errors with known codes, and nothing in the log. */
async function expectValidResponse(body: unknown): Promise<void> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await graphql.backend.post<unknown>('/v1/graphql', text, bearer(graphql.ada));
  expect(response.status).toBe(200);
  for (const each of Array.isArray(response.body) ? response.body : [response.body]) {
    const { data, errors = [] } = each as { data?: unknown; errors?: HasuraError[] };
    expect(data === undefined).toBe(errors.length > 0);
    for (const { message, extensions } of errors) {
      expect(extensions.code, message).not.toBe('unexpected');
    }
  }
  expect(graphql.backend.errors).toEqual([]);
}

const WORDS = [
  ...['{', '}', '(', ')', '[', ']', ':', '$', '@', '...', '"', '"""', '!', '#', '\\u{0}', '\0'],
  ...['query', 'mutation', 'subscription', 'fragment', 'on', 'true', 'null', '-1', '1e999', '"x"'],
  ...[
    'resources',
    'resources_by_pk',
    'resources_aggregate',
    'resources_stream',
    'releases',
    'events',
    'deliveries',
  ],
  ...['insert_resources_one', 'update_resources', 'delete_resources', 'update_resources_many'],
  ...[
    'where',
    '_and',
    '_or',
    '_not',
    '_eq',
    '_in',
    '_regex',
    '_contains',
    '_cast',
    'order_by',
    'asc',
  ],
  ...[
    'limit',
    'offset',
    'distinct_on',
    'id',
    'values',
    'path',
    'app',
    '_set',
    '_append',
    'deleted',
  ],
  ...['aggregate', 'count', 'columns', 'nodes', '__typename', '__schema', 'types', 'returning'],
];

it('responds to any query text', async () => {
  const text = fc.oneof(
    fc.string(),
    fc.array(fc.constantFrom(...WORDS), { maxLength: 60 }).map((words) => words.join(' ')),
  );
  const property = fc.asyncProperty(text, (query) => expectValidResponse({ query }));
  await fc.assert(property, { numRuns: 500 });
}, 60_000);

it('responds to any body', async () => {
  const body = fc.oneof(
    fc.string(),
    fc.json(),
    fc.record({ query: fc.anything(), variables: fc.jsonValue(), operationName: fc.jsonValue() }),
  );
  await fc.assert(
    fc.asyncProperty(body, (each) => expectValidResponse(each ?? null)),
    { numRuns: 300 },
  );
}, 60_000);

const DOCUMENTS = [
  'query ($v: uuid!) { resources_by_pk(id: $v) { id } }',
  'query ($v: resources_bool_exp) { resources(where: $v) { id } }',
  'query ($v: [resources_order_by!]) { resources(order_by: $v) { id } }',
  'query ($v: Int) { resources(limit: $v, offset: $v) { id } }',
  'query ($v: String) { resources { values(path: $v) } }',
  'query ($v: String) { resources(where: {status: {_regex: $v}}) { id } }',
  'query ($v: String) { resources(where: {status: {_similar: $v}}) { id } }',
  'query ($v: jsonb) { resources(where: {values: {_contains: $v}}) { id } }',
  'query ($v: bigint) { resources(where: {generation: {_gt: $v}}) { id } }',
  'query ($v: timestamptz) { resources(where: {created_at: {_lt: $v}}) { id } }',
  'query ($v: [resources_select_column!]) { resources(distinct_on: $v) { id } }',
  'mutation ($v: resources_insert_input!) { insert_resources_one(object: $v) { id } }',
  'mutation ($v: jsonb) { update_resources(where: {}, _append: {values: $v}) { affected_rows } }',
  'mutation ($v: jsonb) { update_resources(where: {}, _set: {values: $v}) { affected_rows } }',
  'mutation ($v: [String!]) { update_resources(where: {}, _delete_at_path: {values: $v}) { affected_rows } }',
  'mutation ($v: bigint) { update_resources(where: {}, _set: {deleted: false}, generation: $v) { affected_rows } }',
];

it.each(DOCUMENTS)(
  'responds to any variable of %s',
  async (query) => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('infinity', 'NaN', '9999999999999999999999', '(', '\\', '[[:x:]]', '\ud800'),
      fc.object({
        key: fc.constantFrom('_and', '_or', '_not', 'status', 'values', 'releases', '_eq', '_in'),
      }),
    );
    const property = fc.asyncProperty(value, (v) =>
      expectValidResponse({ query, variables: { v } }),
    );
    await fc.assert(property, { numRuns: 60 });
  },
  60_000,
);
