import { releaseValues } from '@longshore/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabaseHarness } from '../../test/reconciler/database-harness.ts';
import { appValues, VARIABLES } from '../../test/values.ts';
import { type AppSecrets, createAppSecrets } from './app-secrets.ts';

let harness: Awaited<ReturnType<typeof createDatabaseHarness>>;
let secrets: AppSecrets;

beforeAll(async () => {
  harness = await createDatabaseHarness();
  secrets = createAppSecrets({ db: harness.db, variables: VARIABLES });
});
afterAll(() => harness.clear());

it('finds the secrets in the values and in releases that may still run', async () => {
  const appId = await harness.addApp();
  const values = { ...appValues('project'), env: { API_KEY: 'first-key' } };
  await harness.store.addRelease({
    appId,
    generation: 1,
    desiredHash: 'a',
    values: releaseValues(values),
  });
  const source = { ...values.source, url: 'https://ada:in-the-address@git.example.com/a.git' };
  await harness.editApp(appId, { env: { API_KEY: 'second-key', NODE_ENV: 'production' }, source });
  const found = await secrets.ofApp(appId);
  expect(found.sort()).toEqual(['first-key', 'in-the-address', 'second-key']);
});

it('finds a secret as the app gets it, where its stored value has an escaped reference', async () => {
  const appId = await harness.addApp();
  await harness.editApp(appId, { env: { API_KEY: 'ab$${{cd', A: 'db://ada:12$${{34@host' } });
  const found = await secrets.ofApp(appId);
  expect(found).toEqual(expect.arrayContaining(['ab${{cd', '12${{34']));
});

it('finds no secrets for an app that does not exist', async () => {
  expect(await secrets.ofApp('00000000-0000-4000-8000-000000000000')).toEqual([]);
});

it('includes the secrets that builds of the owner used, and reports each one as new once', async () => {
  const appId = await harness.addApp();
  expect(secrets.recordUsed('another-owner', ['their-token'])).toBe(true);
  expect(secrets.recordUsed(harness.ownerId, ['own-token'])).toBe(true);
  expect(secrets.recordUsed(harness.ownerId, ['own-token'])).toBe(false);
  expect(await secrets.ofApp(appId)).toEqual(['own-token']);
});
