import { readFile } from 'node:fs/promises';
import {
  type AppValues,
  isRecord,
  REDEPLOY_APP,
  RESUME_APP,
  ROLLBACK_APP,
  releaseValues,
  UPDATE_RESOURCE,
} from '@longshore/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bearer } from '../../../test/backend.ts';
import {
  AS_ADMIN,
  type GraphqlFixture,
  startGraphqlFixture,
} from '../../../test/graphql/graphql-fixture.ts';
import { appValues, VARIABLES } from '../../../test/values.ts';
import { createReconcilerStore, type ReconcilerStore } from '../../apps/reconciler-store.ts';

const [FIRST, SECOND] = ['1'.repeat(40), '2'.repeat(40)];
const DIGEST = `sha256:${'ab'.repeat(32)}`;
const { source, container } = appValues('project');
const pin = { release: 1, follows: source.ref };

let graphql: GraphqlFixture;
let store: ReconcilerStore;
beforeAll(async () => {
  graphql = await startGraphqlFixture();
  store = createReconcilerStore({ db: graphql.backend.db, variables: VARIABLES });
});
afterAll(() => graphql.stop());

/** An app with two live releases of its branch, rolled back to the first one. */
async function rolledBackApp(): Promise<string> {
  const id = await graphql.createApp();
  await deploy(id, FIRST);
  await deploy(id, SECOND);
  expect(await graphql.result(ROLLBACK_APP, { id, release: 1 })).toEqual({ id });
  return id;
}

/** Adds a live release of the current values. */
async function deploy(appId: string, revision: string): Promise<void> {
  const app = await store.app(appId);
  if (app === undefined) throw new Error('There is no app');
  const values = releaseValues(app.values);
  const { generation } = app;
  const { number } = await store.addRelease({ appId, generation, desiredHash: 'hash', values });
  await store.setRevision(appId, number, revision);
  await store.endRelease({ appId, number, outcome: 'live' });
}

async function rowOf(id: string) {
  const query = 'query ($id: uuid!) { resources_by_pk(id: $id) { pin values generation } }';
  const row = await graphql.result(query, { id });
  return (isRecord(row) ? row : {}) as { pin: unknown; values: AppValues; generation: number };
}

async function edit(id: string, change: Partial<AppValues>): Promise<void> {
  const { values } = await rowOf(id);
  await graphql.result(UPDATE_RESOURCE, { id, values: { ...values, ...change } });
}

it('follows the branch again from the next release on', async () => {
  const id = await rolledBackApp();
  expect(await rowOf(id)).toMatchObject({ pin, values: { source: { ref: FIRST } } });
  expect(await graphql.result(RESUME_APP, { id })).toEqual({ id });
  expect(await rowOf(id)).toMatchObject({ pin: null, values: { source }, generation: 3 });
});

it('changes nothing the second time, or without a rollback', async () => {
  const id = await rolledBackApp();
  await graphql.result(RESUME_APP, { id });
  expect(await graphql.result(RESUME_APP, { id }, AS_ADMIN)).toEqual({ id });
  expect((await rowOf(id)).generation).toBe(3);
});

it('follows the tag of an image again', async () => {
  const image = {
    source: { ...source, enabled: false },
    container: { ...container, image: 'nginx:1' },
  };
  const id = await graphql.createApp(image);
  await deploy(id, DIGEST);
  await deploy(id, `sha256:${'cd'.repeat(32)}`);
  await graphql.result(ROLLBACK_APP, { id, release: 1 });
  expect(await rowOf(id)).toMatchObject({
    pin: { release: 1, follows: 'nginx:1' },
    values: { container: { image: `nginx:1@${DIGEST}` } },
  });
  await graphql.result(RESUME_APP, { id });
  expect(await rowOf(id)).toMatchObject({ pin: null, values: image });
});

it('stays pinned after a redeploy and after an edit of other settings', async () => {
  const id = await rolledBackApp();
  await graphql.result(REDEPLOY_APP, { id });
  await edit(id, { env: { COLOUR: 'blue' } });
  expect(await rowOf(id)).toMatchObject({ pin, values: { source: { ref: FIRST } } });
});

it('is not pinned any more when its source is edited', async () => {
  const id = await rolledBackApp();
  await edit(id, { source: { ...source, ref: 'next' } });
  expect((await rowOf(id)).pin).toBeNull();
});

it('can be edited if its stored values, of an older version, have no source', async () => {
  const id = await graphql.createApp();
  const { values } = await rowOf(id);
  await graphql.backend.pool.query(
    `update public.resources set values = values - 'source' - 'container' where id = $1`,
    [id],
  );
  await graphql.result(UPDATE_RESOURCE, { id, values });
  expect(await rowOf(id)).toMatchObject({ pin: null, values });
});

it('follows the same branch after a rollback to a release that was pinned', async () => {
  const id = await rolledBackApp();
  await deploy(id, FIRST);
  await edit(id, { source: { ...source, ref: 'next' } });
  await deploy(id, SECOND);
  await graphql.result(ROLLBACK_APP, { id, release: 3 });
  expect((await rowOf(id)).pin).toEqual({ release: 3, follows: source.ref });
});

it('is not pinned by a rollback to the newest release', async () => {
  const id = await graphql.createApp();
  await deploy(id, FIRST);
  const before = await rowOf(id);
  expect(await graphql.result(ROLLBACK_APP, { id, release: 1 })).toEqual({ id });
  expect(await rowOf(id)).toEqual(before);
});

it('is not pinned by a rollback to a commit that the user chose', async () => {
  const id = await graphql.createApp({ source: { ...source, ref: FIRST } });
  await deploy(id, FIRST);
  await edit(id, { source });
  await deploy(id, SECOND);
  await graphql.result(ROLLBACK_APP, { id, release: 1 });
  expect(await rowOf(id)).toMatchObject({ pin: null, values: { source: { ref: FIRST } } });
});

it('is pinned by the upgrade if it was rolled back before pins were stored', async () => {
  const [rolledBack, edited] = [await rolledBackApp(), await rolledBackApp()];
  for (const id of [rolledBack, edited]) await deploy(id, FIRST);
  await edit(edited, { source: { ...source, ref: 'next' } });
  const { pool } = graphql.backend;
  await pool.query('update public.resources set pin = null');
  const file = new URL('../../db/migrations/0017-pins.sql', import.meta.url);
  const statements = (await readFile(file, 'utf8')).split(/;\n/);
  const upgrade = statements.find((statement) => statement.includes('update public.resources'));
  await pool.query(upgrade ?? '');
  expect((await rowOf(rolledBack)).pin).toEqual(pin);
  expect((await rowOf(edited)).pin).toBeNull();
});

it.each(['deleted', 'foreign', 'a project'])('returns null for an id that is %s', async (kind) => {
  const id = kind === 'a project' ? await graphql.createProject() : await rolledBackApp();
  const remove = 'mutation ($id: uuid!) { delete_resources_by_pk(id: $id) { id } }';
  if (kind === 'deleted') await graphql.result(remove, { id });
  const as = kind === 'foreign' ? bearer(await graphql.backend.signUp()) : undefined;
  expect(await graphql.result(RESUME_APP, { id }, as)).toBeNull();
  if (kind === 'foreign') expect((await rowOf(id)).pin).toEqual(pin);
});
