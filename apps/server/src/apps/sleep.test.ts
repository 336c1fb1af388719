import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabaseHarness } from '../../test/reconciler/database-harness.ts';

let harness: Awaited<ReturnType<typeof createDatabaseHarness>>;

beforeAll(async () => {
  harness = await createDatabaseHarness();
});
afterAll(() => harness.clear());

const sleep = { afterMinutes: 10 };

/** A synced app at generation 2. */
async function settledApp(values: { instances: number; sleep?: typeof sleep }): Promise<string> {
  const appId = await harness.addApp();
  await harness.editApp(appId, { ...values, env: { KEY: 'value' } });
  await harness.store.report({ appId, generation: 2, status: 'synced', message: '' });
  return appId;
}

async function desiredOf(appId: string) {
  const app = await harness.store.app(appId);
  return { instances: app?.values.instances, generation: app?.generation };
}

it('hibernates an app and wakes it again', async () => {
  const appId = await settledApp({ instances: 1, sleep });
  await harness.sleep.hibernate(appId);
  expect(await desiredOf(appId)).toEqual({ instances: 0, generation: 3 });
  expect(await harness.statusOf(appId)).toMatchObject({ status: 'syncing' });
  await harness.sleep.wake(appId);
  expect(await desiredOf(appId)).toEqual({ instances: 1, generation: 4 });
  expect((await harness.store.app(appId))?.values).toMatchObject({ sleep, env: { KEY: 'value' } });
});

it('does nothing to an app without the sleep setting', async () => {
  const awake = await settledApp({ instances: 1 });
  const asleep = await settledApp({ instances: 0 });
  await harness.sleep.hibernate(awake);
  await harness.sleep.wake(asleep);
  expect(await desiredOf(awake)).toEqual({ instances: 1, generation: 2 });
  expect(await desiredOf(asleep)).toEqual({ instances: 0, generation: 2 });
});

it.each(['syncing', 'backoff'] as const)('does not hibernate an app that is %s', async (status) => {
  const appId = await settledApp({ instances: 1, sleep });
  await harness.store.report({ appId, generation: 2, status, message: 'why' });
  await harness.sleep.hibernate(appId);
  expect(await desiredOf(appId)).toEqual({ instances: 1, generation: 2 });
});

it('does not wake a deleted app', async () => {
  const appId = await settledApp({ instances: 0, sleep });
  await harness.deleteApp(appId);
  await harness.sleep.wake(appId);
  expect(await desiredOf(appId)).toEqual({ instances: 0, generation: 3 });
});

it('does nothing to an app that is awake already', async () => {
  const appId = await settledApp({ instances: 1, sleep });
  await harness.sleep.wake(appId);
  expect(await desiredOf(appId)).toEqual({ instances: 1, generation: 2 });
});
