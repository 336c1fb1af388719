import { CLEAR_BUILD_CACHE, RESTART_APP } from '@longshore/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GraphqlFixture, startGraphqlFixture } from '../../../test/graphql/graphql-fixture.ts';
import { appValues, VARIABLES } from '../../../test/values.ts';
import { createReconcilerStore, type ReconcilerStore } from '../../apps/reconciler-store.ts';

let graphql: GraphqlFixture;
let store: ReconcilerStore;
beforeAll(async () => {
  graphql = await startGraphqlFixture();
  store = createReconcilerStore({ db: graphql.backend.db, variables: VARIABLES });
});
afterAll(() => graphql.stop());

const HOUR_MS = 3_600_000;

/** An app that crashed and is restarted in an hour. */
async function waitingApp(inMs = HOUR_MS): Promise<string> {
  const appId = await graphql.createApp();
  const retry = { kind: 'restart', inMs } as const;
  await store.report({ appId, generation: 1, status: 'backoff', message: 'crashed', retry });
  return appId;
}

async function retryOf(id: string) {
  const query = 'query ($id: uuid!) { resources_by_pk(id: $id) { retry generation } }';
  return await graphql.result(query, { id });
}

it('requests the restart of a waiting app, once', async () => {
  const id = await waitingApp();
  expect(await graphql.result(RESTART_APP, { id })).toEqual({ id });
  const requested = await retryOf(id);
  expect(requested).toMatchObject({ retry: { kind: 'restart', requested: true }, generation: 1 });
  expect((await store.app(id))?.isRetryRequested).toBe(true);
  expect(await graphql.result(RESTART_APP, { id })).toEqual({ id });
  expect(await retryOf(id)).toEqual(requested);
  await store.report({ appId: id, generation: 1, status: 'synced', message: '' });
  expect((await store.app(id))?.isRetryRequested).toBe(false);
});

it('changes nothing while the next attempt is under way', async () => {
  const id = await waitingApp(-1);
  const before = await retryOf(id);
  expect(await graphql.result(RESTART_APP, { id })).toEqual({ id });
  expect(await retryOf(id)).toEqual(before);
});

it.each([
  ['is synced and does not serve', 'synced', 'The app is not running'],
  ['is syncing', 'syncing', 'The app is being updated'],
  ['has failed for good', 'backoff', 'The app is not running'],
] as const)('refuses an app that %s', async (_, status, message) => {
  const appId = await graphql.createApp();
  await store.report({ appId, generation: 1, status, message: '' });
  const { errors } = await graphql.request(RESTART_APP, { id: appId });
  expect(errors).toMatchObject([{ message, extensions: { code: 'conflict' } }]);
  expect((await store.app(appId))?.isRetryRequested).toBe(false);
});

it('refuses an app that was edited while it waited', async () => {
  const id = await waitingApp();
  await graphql.backend.pool.query(
    `update public.resources set values = jsonb_set(values, '{env}', '{"A": "1"}') where id = $1`,
    [id],
  );
  const { errors } = await graphql.request(RESTART_APP, { id });
  expect(errors?.[0]?.message).toBe('The app is being updated');
});

it('replaces the serving instance of a healthy app, in a new generation of the same values', async () => {
  const appId = await graphql.createApp();
  await store.report({ appId, generation: 1, status: 'synced', message: '' });
  await store.setServing(appId, { release: 1, logName: 'app-1', hosts: [] });
  expect(await graphql.result(RESTART_APP, { id: appId })).toEqual({ id: appId });
  expect(await store.app(appId)).toMatchObject({ generation: 2, replacedInstances: ['app-1'] });
  const events =
    'query ($id: uuid!) { events(where: {app_id: {_eq: $id}}, order_by: {id: desc}, limit: 1) { kind } }';
  expect(await graphql.result(events, { id: appId })).toEqual([{ kind: 'restarted' }]);
  const { errors } = await graphql.request(RESTART_APP, { id: appId });
  expect(errors?.[0]?.message).toBe('The app is being updated');
});

it('replaces every serving instance of an app with several', async () => {
  const appId = await graphql.createApp();
  await store.report({ appId, generation: 1, status: 'synced', message: '' });
  const logNames = ['app-1', 'app-2'];
  await store.setServing(appId, { release: 1, logName: 'app-1', logNames, hosts: [] });
  expect(await graphql.result(RESTART_APP, { id: appId })).toEqual({ id: appId });
  expect(await store.app(appId)).toMatchObject({ replacedInstances: logNames });
});

it.each([
  [
    'all instances of an app whose worker fails',
    'live',
    { generation: 2, replacedInstances: ['app-1', 'app-worker.2'] },
  ],
  ['none while a new release fails', 'failed', { generation: 1, isRetryRequested: true }],
] as const)('replaces %s', async (_, outcome, expected) => {
  const appId = await waitingApp();
  const made = { appId, generation: 1, desiredHash: 'hash', values: appValues('project') };
  const { number } = await store.addRelease(made);
  await store.endRelease({ appId, number, outcome });
  const worker = { name: 'worker', replicas: 2, resourceTier: 't1', logNames: ['app-worker.2'] };
  await store.setServing(appId, {
    release: number,
    logName: 'app-1',
    hosts: [],
    processes: [worker],
  });
  expect(await graphql.result(RESTART_APP, { id: appId })).toEqual({ id: appId });
  expect(await store.app(appId)).toMatchObject(expected);
});

it('clears the build cache for the next build, without a new generation', async () => {
  const appId = await graphql.createApp();
  expect(await graphql.result(CLEAR_BUILD_CACHE, { id: appId })).toEqual({ id: appId });
  expect(await store.app(appId)).toMatchObject({ generation: 1, cacheClears: 1 });
  const events =
    'query ($id: uuid!) { events(where: {app_id: {_eq: $id}}, order_by: {id: desc}, limit: 1) { kind details } }';
  expect(await graphql.result(events, { id: appId })).toEqual([
    { kind: 'edited', details: { changed: ['buildCache'] } },
  ]);
});

it('finds no deleted app', async () => {
  const id = await waitingApp();
  await graphql.backend.pool.query('update public.resources set deleted = true where id = $1', [
    id,
  ]);
  expect(await graphql.result(RESTART_APP, { id })).toBeNull();
});
