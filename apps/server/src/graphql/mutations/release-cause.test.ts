import {
  type AppValues,
  decodeReleases,
  REDEPLOY_APP,
  ROLLBACK_APP,
  releaseValues,
  type Session,
  UPDATE_RESOURCE,
} from '@longshore/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer } from '../../../test/backend.ts';
import {
  AS_ADMIN,
  type GraphqlFixture,
  startGraphqlFixture,
} from '../../../test/graphql/graphql-fixture.ts';
import { VARIABLES } from '../../../test/values.ts';
import { createReconcilerStore, type ReconcilerStore } from '../../apps/reconciler-store.ts';
import { redeploy } from '../../apps/redeploy.ts';
import { createSleep } from '../../apps/sleep.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const RELEASES = `query ($id: uuid!) {
  releases(where: {app_id: {_eq: $id}}, order_by: {number: desc}) { number made_of cause }
}`;

let graphql: GraphqlFixture;
let store: ReconcilerStore;
beforeAll(async () => {
  graphql = await startGraphqlFixture();
  store = createReconcilerStore({ db: graphql.backend.db, variables: VARIABLES });
});
afterAll(() => graphql.stop());

const ada = () => ({ userId: graphql.ada.user.id, name: graphql.ada.user.displayName });

async function edit(id: string, change: Partial<AppValues>, as?: Record<string, string>) {
  const app = await store.app(id);
  await graphql.result(UPDATE_RESOURCE, { id, values: { ...app?.values, ...change } }, as);
}

/** The cause of a new release with the current values. */
async function causeOf(id: string) {
  const app = await store.app(id);
  if (app === undefined) throw new Error('There is no app');
  const { values, generation } = app;
  const release = { appId: id, generation, desiredHash: 'hash', values: releaseValues(values) };
  const { number } = await store.addRelease(release);
  await store.setRevision(id, number, COMMIT);
  await store.endRelease({ appId: id, number, outcome: 'live' });
  const [newest] = decodeReleases(await graphql.result(RELEASES, { id }));
  return newest?.cause;
}

async function signInWithToken(metadata: object): Promise<Session> {
  const request = { expiresAt: '2099-01-01T00:00:00Z', metadata };
  const { body } = await graphql.backend.post<{ personalAccessToken: string }>(
    '/v1/auth/pat',
    request,
    bearer(graphql.ada),
  );
  const { personalAccessToken } = body;
  const signedIn = await graphql.backend.post<{ session: Session }>('/v1/auth/signin/pat', {
    personalAccessToken,
  });
  return signedIn.body.session;
}

describe('the cause of a release', () => {
  it('is the user who created or edited the app', async () => {
    const id = await graphql.createApp();
    expect(ada().name).not.toBe('');
    expect(await causeOf(id)).toEqual({ kind: 'edit', actor: ada() });
    await edit(id, { env: { A: '1' } }, AS_ADMIN);
    expect(await causeOf(id)).toEqual({ kind: 'edit' });
    await edit(id, { env: { A: '2' } });
    expect(await causeOf(id)).toEqual({ kind: 'edit', actor: ada() });
  });

  it.each([
    ['its name', { name: 'ci' }, 'ci'],
    ['no name', {}, ''],
  ])('includes a personal access token with %s', async (_, metadata, token) => {
    const id = await graphql.createApp();
    await edit(id, { env: { A: '1' } }, bearer(await signInWithToken(metadata)));
    expect(await causeOf(id)).toEqual({ kind: 'edit', actor: { ...ada(), token } });
  });

  it('is the user who rolled back, and the target release', async () => {
    const id = await graphql.createApp();
    await causeOf(id);
    await edit(id, { env: { A: '1' } });
    await causeOf(id);
    await graphql.result(ROLLBACK_APP, { id, release: 1 });
    expect(await causeOf(id)).toEqual({ kind: 'rollback', to: 1, actor: ada() });
  });

  it('is the user who requested a redeploy', async () => {
    const id = await graphql.createApp();
    await causeOf(id);
    const before = await store.app(id);
    expect(await graphql.result(REDEPLOY_APP, { id })).toEqual({ id });
    const after = await store.app(id);
    expect(after).toMatchObject({ values: before?.values, redeploys: 1 });
    expect(after?.generation).toBe((before?.generation ?? 0) + 1);
    expect(await causeOf(id)).toEqual({ kind: 'edit', actor: ada() });
  });

  it('is the push, even if the app was hibernated and woken since', async () => {
    const sleep = createSleep(graphql.backend);
    const id = await graphql.createApp({ instances: 0, sleep: { afterMinutes: 5 } });
    const push = { kind: 'push', ref: 'main', commit: COMMIT, by: 'Ada', subject: 'Fix' } as const;
    await redeploy(graphql.backend.db, id, push);
    await sleep.wake(id);
    await edit(id, { instances: 0 });
    await edit(id, { instances: 1 });
    expect(await causeOf(id)).toEqual(push);
  });

  it('is undefined when the values changed since', async () => {
    const id = await graphql.createApp();
    const values = releaseValues((await store.app(id))?.values as AppValues);
    await edit(id, { env: { A: '1' } });
    await store.addRelease({ appId: id, generation: 1, desiredHash: 'hash', values });
    const [newest] = decodeReleases(await graphql.result(RELEASES, { id }));
    expect(newest?.cause).toBeUndefined();
  });

  it('cannot be changed', async () => {
    const id = await graphql.createApp();
    await causeOf(id);
    const forged = graphql.backend.pool.query(
      `update deploy.releases set cause = '{"kind": "edit"}' where app_id = $1`,
      [id],
    );
    await expect(forged).rejects.toThrow('does not change');
  });
});

describe('an app that is saved unchanged', () => {
  it.each([
    ['fails', 'backoff', 1, true],
    ['runs', 'synced', 1, false],
    ['is being deployed', 'syncing', 1, false],
    ['is hibernated', 'backoff', 0, false],
  ])('and %s (%s, %i instances) is redeployed: %s', async (_, status, instances, isRedeployed) => {
    const id = await graphql.createApp({ instances }, graphql.ada);
    const { pool } = graphql.backend;
    const cause = '{"kind": "push"}';
    await pool.query('update resources set status = $1, cause = $2 where id = $3', [
      ...[status, cause, id],
    ]);
    const before = await store.app(id);
    await edit(id, {});
    const after = await store.app(id);
    const generations = (after?.generation ?? 0) - (before?.generation ?? 0);
    expect([generations, after?.redeploys]).toEqual(isRedeployed ? [1, 1] : [0, 0]);
    expect((await causeOf(id))?.kind).toBe(isRedeployed ? 'edit' : 'push');
  });
});
