import { releaseValues } from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GraphqlFixture, startGraphqlFixture } from '../../test/graphql/graphql-fixture.ts';
import { appValues, VARIABLES } from '../../test/values.ts';
import { createReconcilerStore } from '../apps/reconciler-store.ts';

const values = releaseValues(appValues('project'));
let graphql: GraphqlFixture;
let busy: string;
let idle: string;
beforeAll(async () => {
  graphql = await startGraphqlFixture();
  const store = createReconcilerStore({ db: graphql.backend.db, variables: VARIABLES });
  busy = await graphql.createApp({ name: 'busy' });
  idle = await graphql.createApp({ name: 'idle' });
  for (const outcome of ['failed', 'live'] as const) {
    const release = await store.addRelease({
      appId: busy,
      generation: 1,
      desiredHash: outcome,
      values,
    });
    await store.endRelease({ appId: busy, number: release.number, outcome });
  }
});
afterAll(() => graphql.stop());

describe('related rows', () => {
  it('are selected below an app with conditions and order', async () => {
    const query = `query ($id: uuid!) {
      resources_by_pk(id: $id) {
        all: releases(order_by: {number: desc}) { number outcome app { id __typename } __typename }
        failed: releases(where: {outcome: {_eq: "failed"}}) { number }
        events(order_by: {id: asc}, limit: 2) { kind }
      }
    }`;
    const app = { id: busy, __typename: 'resources' };
    expect(await graphql.result(query, { id: busy })).toEqual({
      all: [
        { number: 2, outcome: 'live', app, __typename: 'releases' },
        { number: 1, outcome: 'failed', app, __typename: 'releases' },
      ],
      failed: [{ number: 1 }],
      events: [{ kind: 'created' }, { kind: 'release-started' }],
    });
  });

  it('are selected by their primary key', async () => {
    const query = 'query ($id: uuid!) { releases_by_pk(app_id: $id, number: 2) { outcome } }';
    expect(await graphql.result(query, { id: busy })).toEqual({ outcome: 'live' });
    expect(await graphql.result(query, { id: idle })).toBeNull();
  });

  it('can be conditions, in both directions', async () => {
    const withFailure = 'where: {releases: {outcome: {_eq: "failed"}}}';
    expect(await graphql.result(`{ resources(${withFailure}) { id } }`)).toEqual([{ id: busy }]);
    const ofIdle = 'where: {app: {values: {_contains: {name: "idle"}}}}';
    expect(await graphql.result(`{ events(${ofIdle}) { kind app_id } }`)).toEqual([
      { kind: 'created', app_id: idle },
    ]);
    const never = 'where: {_not: {releases: {}}, chart_name: {_eq: "longshore-app"}}';
    expect(await graphql.result(`{ resources(${never}) { id } }`)).toEqual([{ id: idle }]);
  });

  it('can define the order', async () => {
    const query = `{ events(where: {kind: {_eq: "created"}}, order_by: {app: {created_at: desc}}) { app_id } }`;
    expect(await graphql.result(query)).toEqual([{ app_id: idle }, { app_id: busy }]);
  });

  it('are aggregated below an app', async () => {
    const query = `{ resources(where: {chart_name: {_eq: "longshore-app"}}, order_by: {created_at: asc}) {
      releases_aggregate { aggregate { count max { number } } nodes { number } }
    } }`;
    expect(await graphql.result(query)).toEqual([
      {
        releases_aggregate: {
          aggregate: { count: 2, max: { number: 2 } },
          nodes: [{ number: 1 }, { number: 2 }],
        },
      },
      { releases_aggregate: { aggregate: { count: 0, max: { number: null } }, nodes: [] } },
    ]);
  });
});

describe('aggregates', () => {
  it('count rows, columns and distinct values of the selected rows', async () => {
    const query = `{ resources_aggregate(where: {deleted: {_eq: false}}) {
      __typename
      aggregate {
        __typename
        count
        kinds: count(columns: chart_name, distinct: true)
        messages: count(columns: message)
        both: count(columns: [chart_name, deleted], distinct: true)
        max { chart_name generation __typename }
        min { chart_name id created_at }
        sum { generation }
        avg { generation }
      }
      nodes { chart_name __typename }
    } }`;
    const result = await graphql.result(query);
    expect(result).toMatchObject({
      __typename: 'resources_aggregate',
      aggregate: {
        __typename: 'resources_aggregate_fields',
        count: 4,
        kinds: 2,
        messages: 2,
        both: 2,
        max: { chart_name: 'project', generation: 1, __typename: 'resources_max_fields' },
        min: { chart_name: 'longshore-app', created_at: expect.stringMatching(/\+00:00$/) },
        sum: { generation: 4 },
        avg: { generation: 1 },
      },
    });
    expect(result).toHaveProperty('nodes.length', 4);
  });

  it('have one row if no row is selected', async () => {
    const query = '{ resources_aggregate(where: {id: {_in: []}}) { aggregate { __typename } } }';
    expect(await graphql.result(query)).toEqual({
      aggregate: { __typename: 'resources_aggregate_fields' },
    });
  });
});

it('returns several root fields under their aliases, with fragments and directives', async () => {
  const query = `query Several($id: uuid!, $no: Boolean = false) {
    ...Root
    __typename
    skipped: resources @skip(if: true) { id }
    none: resources_by_pk(id: "00000000-0000-4000-8000-000000000000") { id }
  }
  fragment Root on query_root { app: resources_by_pk(id: $id) { ...Named values @include(if: $no) } }
  fragment Named on resources { id name: values(path: "name") port: values(path: "$.ports[0].number") }`;
  const { data } = await graphql.request(query, { id: idle });
  expect(data).toEqual({
    app: { id: idle, name: 'idle', port: 3000 },
    __typename: 'query_root',
    none: null,
  });
});

it('returns times with their offset and microseconds', async () => {
  const [row] = (await graphql.result('{ resources(limit: 1) { created_at } }')) as {
    created_at: string;
  }[];
  expect(row?.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
  const again = 'query ($at: timestamptz!) { resources(where: {created_at: {_eq: $at}}) { id } }';
  expect(await graphql.result(again, { at: row?.created_at })).toHaveLength(1);
});
