import { RESTART_APP } from '@longshore/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GraphqlFixture, startGraphqlFixture } from '../../../test/graphql/graphql-fixture.ts';
import { createReconcilerStore, type ReconcilerStore } from '../../apps/reconciler-store.ts';

let graphql: GraphqlFixture;
let store: ReconcilerStore;
beforeAll(async () => {
  graphql = await startGraphqlFixture();
  store = createReconcilerStore(graphql.backend.db);
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
  ['is synced', { status: 'synced' }],
  ['is syncing', { status: 'syncing' }],
  ['has failed for good', { status: 'backoff' }],
] as const)('refuses an app that %s', async (_, { status }) => {
  const appId = await graphql.createApp();
  await store.report({ appId, generation: 1, status, message: '' });
  const { errors } = await graphql.request(RESTART_APP, { id: appId });
  expect(errors).toMatchObject([
    { message: 'The app is not waiting to restart', extensions: { code: 'conflict' } },
  ]);
  expect((await store.app(appId))?.isRetryRequested).toBe(false);
});

it('refuses an app that was edited while it waited', async () => {
  const id = await waitingApp();
  await graphql.backend.pool.query(
    `update public.resources set values = jsonb_set(values, '{env}', '{"A": "1"}') where id = $1`,
    [id],
  );
  const { errors } = await graphql.request(RESTART_APP, { id });
  expect(errors?.[0]?.message).toBe('The app is not waiting to restart');
});

it('finds no deleted app', async () => {
  const id = await waitingApp();
  await graphql.backend.pool.query('update public.resources set deleted = true where id = $1', [
    id,
  ]);
  expect(await graphql.result(RESTART_APP, { id })).toBeNull();
});
