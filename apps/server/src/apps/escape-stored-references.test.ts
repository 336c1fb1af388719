import { releaseValues } from '@longshore/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabaseHarness } from '../../test/reconciler/database-harness.ts';
import { appValues, VARIABLES } from '../../test/values.ts';
import { desiredHashes } from './desired-hashes.ts';
import { escapeStoredReferences } from './escape-stored-references.ts';

let harness: Awaited<ReturnType<typeof createDatabaseHarness>>;
beforeAll(async () => {
  harness = await createDatabaseHarness();
});
afterAll(() => harness.clear());

const escapeAll = () =>
  harness.db.transaction().execute((tx) => escapeStoredReferences(tx, VARIABLES));

const OLD = { TEMPLATE: 'a ${{ b }} $${{', PLAIN: '$HOME {{x}}' };
const ESCAPED = { TEMPLATE: 'a $${{ b }} $$${{', PLAIN: '$HOME {{x}}' };

/** With the keys of a port in the order of the database. */
const valuesWith = (env: Record<string, string>) =>
  releaseValues({ ...appValues('project'), ports: [{ expose: true, number: 3000 }], env });

/** An app with a release of the same settings, as the version before stored it. */
async function storeApp(env: Record<string, string>, redeploys = 0) {
  const appId = await harness.addApp();
  await harness.editApp(appId, { env });
  await harness.query(`update public.resources set redeploys = ${redeploys} where id = '${appId}'`);
  const values = valuesWith(env);
  const hashes = desiredHashes(values, redeploys);
  for (const hash of [...hashes, 'of other settings']) {
    const desiredHash = VARIABLES.hashOfRelease(appId, hash);
    await harness.store.addRelease({ appId, generation: 1, desiredHash, values });
  }
  return appId;
}

it.each([0, 3])(
  'escapes what was text, and no app with %i redeploys needs a release',
  async (redeploys) => {
    const appId = await storeApp(OLD, redeploys);
    const before = await harness.rowOf(appId);
    const other = VARIABLES.hashOfRelease(appId, 'of other settings');
    await escapeAll();
    expect((await harness.store.app(appId))?.values.env).toEqual(ESCAPED);
    const { last } = await harness.store.releases(appId);
    expect(last?.values.env).toEqual(ESCAPED);
    const expected = desiredHashes(valuesWith(ESCAPED), redeploys).map((hash) =>
      VARIABLES.hashOfRelease(appId, hash),
    );
    const releases = await harness.releasesOf(appId);
    expect(releases.map(({ desiredHash }) => desiredHash)).toEqual([...expected, other]);
    const { generation, updated, status } = await harness.rowOf(appId);
    expect({ generation, updated, status }).toEqual({
      generation: before.generation,
      updated: before.updated,
      status: before.status,
    });
  },
);

it('leaves every other row as it is', async () => {
  const appId = await storeApp({ PLAIN: 'plain' });
  const rows = async () => [await harness.rowOf(appId), await harness.releaseRows(appId)];
  const before = await rows();
  await escapeAll();
  expect(await rows()).toEqual(before);
  // The triggers work again.
  await harness.editApp(appId, { env: { PLAIN: 'edited' } });
  expect(Number((await harness.rowOf(appId)).generation)).toBe(
    Number((before[0] as { generation: string }).generation) + 1,
  );
});

it('leaves a value that cannot be read', async () => {
  const appId = await storeApp(OLD);
  await harness.query(`delete from deploy.sealed_values where owner_id = '${appId}'`);
  const before = await harness.rowOf(appId);
  await escapeAll();
  expect(await harness.rowOf(appId)).toEqual(before);
});
