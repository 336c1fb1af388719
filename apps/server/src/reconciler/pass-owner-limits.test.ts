import { buildAppValues } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { NO_OWNER_LIMITS } from '../../test/no-limits.ts';
import { startReconcilerHarness } from '../../test/reconciler/reconciler-harness.ts';
import { failureMessage } from './messages.ts';

const { source } = buildAppValues();
const withRef = (ref: string) => ({ source: { ...source, ref } });

it('delays the build of another owner by one build, however many one owner has', async () => {
  const { store, engine, settle, clock } = await startReconcilerHarness({ maxBuilds: 2 });
  const many = Array.from({ length: 50 }, () => store.addApp({}, 'ada'));
  for (const appId of many) engine.setBehaviour(appId, { build: 'stalls' });
  await settle();
  const eves = store.addApp({}, 'eve');
  await settle();
  expect(store.statusOf(eves).message).toBe('Waiting for a free build slot: next in the queue');
  const isBuilding = (appId: string) => store.statusOf(appId).message === 'Reconcile: building';
  const building = many.filter(isBuilding);
  expect(building).toHaveLength(2);
  store.deleteApp(building[0] as string);
  await clock.advance(0);
  expect(store.statusOf(eves).status).toBe('synced');
  expect(many.filter(isBuilding)).toHaveLength(2);
});

it('limits the builds of one owner', async () => {
  const { store, engine, settle, reconciler } = await startReconcilerHarness({
    maxBuilds: 3,
    ownerLimits: { ...NO_OWNER_LIMITS, maxBuildsOf: async () => 1 },
  });
  const [first, second] = [store.addApp({}, 'ada'), store.addApp({}, 'ada')];
  engine.setBehaviour(first, { build: 'stalls' });
  engine.setBehaviour(second, { build: 'stalls' });
  await settle();
  expect(reconciler().buildsOf('ada')).toEqual({ running: 1, waiting: 1 });
  expect(store.statusOf(second).message).toBe('Waiting for a free build slot: next in the queue');
  store.deleteApp(second);
  await settle();
  expect(reconciler().buildsOf('ada')).toEqual({ running: 1, waiting: 0 });
});

it('refuses a build when the disk of the owner is used up, and keeps the running release', async () => {
  let problem: string | undefined;
  const { store, settle, runningOf } = await startReconcilerHarness({
    ownerLimits: { ...NO_OWNER_LIMITS, diskProblemOf: async () => problem },
  });
  const appId = store.addApp();
  await settle();
  problem = '2 GB of 2 GB in use';
  store.editApp(appId, withRef('next'));
  await settle();
  expect(store.statusOf(appId)).toMatchObject({
    status: 'backoff',
    message: failureMessage('disk-quota-reached', [problem]),
  });
  expect((await runningOf(appId)).map(({ release }) => release)).toEqual([1]);
  problem = undefined;
  store.editApp(appId, withRef('after'));
  await settle();
  expect(store.statusOf(appId).status).toBe('synced');
});
