import { releaseValues } from '@longshore/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabaseHarness } from '../test/reconciler/database-harness.ts';
import { appValues } from '../test/values.ts';
import { type AppSecrets, createAppSecrets } from './app-secrets.ts';

let harness: Awaited<ReturnType<typeof createDatabaseHarness>>;
let secrets: AppSecrets;

beforeAll(async () => {
  harness = await createDatabaseHarness();
  secrets = createAppSecrets(harness.db);
});
afterAll(() => harness.clear());

it('knows the secrets of wishes and of releases that may still run', async () => {
  const appId = await harness.addApp();
  const values = { ...appValues('project'), env: { API_KEY: 'first-key' } };
  await harness.store.addRelease({
    appId,
    generation: 1,
    wish: 'a',
    values: releaseValues(values),
  });
  const source = { ...values.source, url: 'https://ada:in-the-address@git.example.com/a.git' };
  await harness.editApp(appId, { env: { API_KEY: 'second-key', NODE_ENV: 'production' }, source });
  const found = await secrets.of(appId);
  expect(found.sort()).toEqual(['first-key', 'in-the-address', 'second-key']);
});

it('knows nothing of an app that does not exist', async () => {
  expect(await secrets.of('00000000-0000-4000-8000-000000000000')).toEqual([]);
});

it('knows what was lent to the owner, of whom it is told once', async () => {
  const appId = await harness.addApp();
  expect(secrets.lent('somebody-else', ['their-token'])).toBe(true);
  expect(secrets.lent(harness.ownerId, ['own-token'])).toBe(true);
  expect(secrets.lent(harness.ownerId, ['own-token'])).toBe(false);
  expect(await secrets.of(appId)).toEqual(['own-token']);
});
