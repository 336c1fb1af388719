import { LATEST_RELEASES_SUBSCRIPTION, releaseValues } from '@longshore/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bearer } from '../../test/backend.ts';
import { type GraphqlFixture, startGraphqlFixture } from '../../test/graphql/graphql-fixture.ts';
import { appValues, VARIABLES } from '../../test/values.ts';
import { createReconcilerStore, type ReconcilerStore } from '../apps/reconciler-store.ts';

const QUERY = LATEST_RELEASES_SUBSCRIPTION.replace('subscription', 'query');

let graphql: GraphqlFixture;
let store: ReconcilerStore;
beforeAll(async () => {
  graphql = await startGraphqlFixture();
  store = createReconcilerStore({ db: graphql.backend.db, variables: VARIABLES });
});
afterAll(() => graphql.stop());

async function addRelease(appId: string, outcome: 'live' | 'failed'): Promise<void> {
  const values = releaseValues(appValues('project'));
  const { number } = await store.addRelease({ appId, generation: 1, desiredHash: 'hash', values });
  await store.endRelease({ appId, number, outcome });
}

it('lists the newest release of each app, and those of nobody else', async () => {
  const [shop, blog, unreleased] = [
    await graphql.createApp({ name: 'shop' }),
    await graphql.createApp({ name: 'blog' }),
    await graphql.createApp({ name: 'unreleased' }),
  ];
  await addRelease(shop, 'live');
  await addRelease(shop, 'failed');
  await addRelease(blog, 'live');
  const appIds = [shop, blog, unreleased];
  const listed = await graphql.result(QUERY, { appIds });
  expect(listed).toHaveLength(2);
  expect(listed).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ app_id: shop, number: 2, outcome: 'failed' }),
      expect.objectContaining({ app_id: blog, number: 1, outcome: 'live' }),
    ]),
  );
  const otherUser = bearer(await graphql.backend.signUp());
  expect(await graphql.result(QUERY, { appIds }, otherUser)).toEqual([]);
});
