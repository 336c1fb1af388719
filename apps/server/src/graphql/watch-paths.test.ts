import { needsRelease, ROLLBACK_APP, releaseValues } from '@longshore/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GraphqlFixture, startGraphqlFixture } from '../../test/graphql/graphql-fixture.ts';
import { VARIABLES } from '../../test/values.ts';
import { createReconcilerStore } from '../apps/reconciler-store.ts';

const APPEND = `mutation ($id: uuid!, $values: jsonb!) {
  update_resources_by_pk(pk_columns: {id: $id}, _append: {values: $values}) { values } }`;

let graphql: GraphqlFixture;
beforeAll(async () => {
  graphql = await startGraphqlFixture();
});
afterAll(() => graphql.stop());

async function stored(id: string) {
  return await graphql.backend.db
    .selectFrom('public.resources')
    .select(['values', 'generation', 'status', 'message', 'cause', 'redeploys'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

it.each(['syncing', 'backoff'])(
  'changes no release, and retries none, of an app that is %s',
  async (status) => {
    const id = await graphql.createApp();
    const { db } = graphql.backend;
    // The next release is still caused by the call, not by this edit.
    const cause = JSON.stringify({ kind: 'deploy-hook' });
    await db.updateTable('public.resources').set({ status, cause }).where('id', '=', id).execute();
    const before = await stored(id);
    await graphql.result(APPEND, { id, values: { watchPaths: [' apps/web/ ', 'a', 'a'] } });
    const watchPaths = ['apps/web', 'a'];
    const after = await stored(id);
    expect(after).toEqual({ ...before, values: { ...(before.values as object), watchPaths } });
    expect(needsRelease(before.values as never, after.values as never)).toBe(false);
    await graphql.result(APPEND, { id, values: { watchPaths: [] } });
    expect(await stored(id)).toEqual(before);
  },
);

it('survives a rollback', async () => {
  const id = await graphql.createApp({ watchPaths: ['apps/web/**'] });
  const store = createReconcilerStore({ db: graphql.backend.db, variables: VARIABLES });
  const app = await store.app(id);
  if (app === undefined) throw new Error('There is no app');
  const { values, generation } = app;
  const release = { appId: id, generation, desiredHash: 'hash', values: releaseValues(values) };
  const { number } = await store.addRelease(release);
  await store.setRevision(id, number, 'c'.repeat(40));
  await store.endRelease({ appId: id, number, outcome: 'live' });
  await graphql.result(APPEND, { id, values: { env: { A: '1' } } });
  await graphql.result(ROLLBACK_APP, { id, release: number });
  expect((await stored(id)).values).toMatchObject({ env: {}, watchPaths: ['apps/web/**'] });
});

it.each<[unknown, string]>([
  ['apps/web', 'values.watchPaths: Must be a list of patterns'],
  [['../etc'], 'values.watchPaths: "../etc": Must not contain ..'],
  [['/etc'], 'values.watchPaths: "/etc": Must be a relative path, without / at its start'],
  [Array(21).fill('a'), 'values.watchPaths: At most 20 patterns are allowed'],
])('refuses %j and changes nothing', async (watchPaths, message) => {
  const id = await graphql.createApp();
  const before = await stored(id);
  expect(await graphql.error(APPEND, { id, values: { watchPaths } })).toMatchObject({ message });
  expect(await stored(id)).toEqual(before);
});
