import { buildAppValues } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { startReconcilerHarness } from '../../test/reconciler/reconciler-harness.ts';
import { EngineFailure } from '../engines/failure.ts';
import { CANCELLED_MESSAGE, failureMessage } from './messages.ts';

const { source } = buildAppValues();
const withRef = (ref: string) => ({ source: { ...source, ref } });
type Harness = Awaited<ReturnType<typeof startReconcilerHarness>>;

/** An app whose first deployment was cancelled during its build. */
async function cancelledApp(harness: Harness): Promise<string> {
  const appId = harness.store.addApp();
  harness.engine.setBehaviour(appId, { build: 'stalls' });
  await harness.settle();
  harness.store.cancelBuild(appId);
  await harness.settle();
  harness.engine.setBehaviour(appId, {});
  return appId;
}

/** An app whose first release serves, and whose second one was cancelled during its build. */
async function cancelledUpdate(harness: Harness): Promise<string> {
  const appId = harness.store.addApp();
  await harness.settle();
  harness.engine.setBehaviour(appId, { build: 'stalls' });
  harness.store.editApp(appId, withRef('next'));
  await harness.settle();
  harness.store.cancelBuild(appId);
  await harness.settle();
  harness.engine.setBehaviour(appId, {});
  return appId;
}

const outcomesOf = ({ store }: Harness, appId: string) =>
  store.releasesOf(appId).map(({ outcome }) => outcome);

it('aborts the build, keeps the previous release serving, and does not try again', async () => {
  const harness = await startReconcilerHarness();
  const appId = await cancelledUpdate(harness);
  const { store, clock, routeOf, runningOf, actionsOn, errors } = harness;
  const actions = actionsOn(appId);
  const [instance] = await runningOf(appId);
  await clock.advance(3_600_000);
  await harness.restart();
  await clock.advance(3_600_000);
  expect(outcomesOf(harness, appId)).toEqual(['live', 'cancelled']);
  expect(store.statusOf(appId)).toMatchObject({ status: 'synced', message: '' });
  expect(instance?.release).toBe(1);
  expect(routeOf(appId)?.route).toEqual({ kind: 'live', targets: [instance?.address] });
  // After the restart of the server, the instance is only checked again.
  expect(actionsOn(appId)).toEqual([...actions, 'waitUntilListening 1']);
  expect(errors).toEqual([]);
});

it('leaves an app without a running release in Error, without retries, until it is redeployed', async () => {
  const harness = await startReconcilerHarness();
  const appId = await cancelledApp(harness);
  const { store, clock, routeOf, observe } = harness;
  await clock.advance(3_600_000);
  await harness.restart();
  const status = { status: 'backoff', message: CANCELLED_MESSAGE };
  expect(store.statusOf(appId)).toMatchObject(status);
  expect(routeOf(appId)?.route).toEqual({ kind: 'failed' });
  expect(await observe(appId)).toEqual({ built: [], instances: [] });
  store.editApp(appId, { name: 'renamed' });
  await harness.settle();
  expect(store.statusOf(appId)).toMatchObject(status);
  expect(outcomesOf(harness, appId)).toEqual(['cancelled']);
  store.editApp(appId, withRef('next'));
  await harness.settle();
  expect(outcomesOf(harness, appId)).toEqual(['cancelled', 'live']);
  expect(store.statusOf(appId).status).toBe('synced');
});

it('removes an app whose first deployment was cancelled', async () => {
  const harness = await startReconcilerHarness();
  const appId = await cancelledApp(harness);
  harness.store.deleteApp(appId);
  await harness.settle();
  expect(harness.routeOf(appId)).toBeUndefined();
  expect(await harness.observe(appId)).toEqual({ built: [], instances: [] });
});

it('removes a queued build from the queue', async () => {
  const harness = await startReconcilerHarness({ maxBuilds: 1 });
  const { store, engine, settle, actionsOn } = harness;
  const first = store.addApp();
  engine.setBehaviour(first, { build: 'stalls' });
  await settle();
  const [queued, next] = [store.addApp(), store.addApp()];
  await settle();
  store.cancelBuild(queued);
  await settle();
  expect(outcomesOf(harness, queued)).toEqual(['cancelled']);
  store.cancelBuild(first);
  await settle();
  expect(actionsOn(queued)).toEqual([]);
  expect(outcomesOf(harness, next)).toEqual(['live']);
});

it('stops an instance that is being checked, and removes its build', async () => {
  const harness = await startReconcilerHarness();
  const { store, engine, settle, observe, routeOf } = harness;
  const appId = store.addApp();
  await settle();
  engine.setBehaviour(appId, { waitUntilListening: 'stalls' });
  store.editApp(appId, withRef('next'));
  await settle();
  expect(await observe(appId)).toMatchObject({ built: [1, 2], instances: [{}, { release: 2 }] });
  store.cancelBuild(appId);
  await settle();
  const { built, instances } = await observe(appId);
  expect({ built, running: instances.map(({ release }) => release) }).toEqual({
    built: [1],
    running: [1],
  });
  expect(routeOf(appId)?.route).toEqual({ kind: 'live', targets: [instances[0]?.address] });
  expect(store.statusOf(appId).status).toBe('synced');
});

it('does not send traffic to a release that was cancelled just before it went live', async () => {
  const harness = await startReconcilerHarness({
    wrapStore: (inner) => ({
      ...inner,
      async endRelease(end) {
        if (end.number === 2) harness.store.cancelBuild(end.appId);
        return await inner.endRelease(end);
      },
    }),
  });
  const { store, settle, observe, routeOf, errors } = harness;
  const appId = store.addApp();
  await settle();
  const [first] = (await observe(appId)).instances;
  store.editApp(appId, withRef('next'));
  await settle();
  expect(outcomesOf(harness, appId)).toEqual(['live', 'cancelled']);
  expect(await observe(appId)).toMatchObject({ built: [1], instances: [{ id: first?.id }] });
  expect(routeOf(appId)?.route).toEqual({ kind: 'live', targets: [first?.address] });
  expect(errors).toEqual([]);
});

it('ends the retries of a release that kept failing', async () => {
  const harness = await startReconcilerHarness();
  const { store, engine, clock, settle, actionsOn } = harness;
  const appId = store.addApp();
  await settle();
  engine.setBehaviour(appId, { build: new EngineFailure('repository-unreachable') });
  store.editApp(appId, withRef('next'));
  await clock.advance(600_000);
  expect(store.statusOf(appId).status).toBe('backoff');
  store.cancelBuild(appId);
  await settle();
  expect(store.statusOf(appId)).toMatchObject({ status: 'synced', message: '' });
  engine.setBehaviour(appId, {});
  await clock.advance(600_000);
  expect(actionsOn(appId)).not.toContain('build 2');
});

it('reports crashes of the release that serves after a cancelled one, and restarts it', async () => {
  const harness = await startReconcilerHarness();
  const appId = await cancelledUpdate(harness);
  const { store, engine, clock, runningOf } = harness;
  for (const { id } of await runningOf(appId)) engine.exitInstance(appId, id);
  await harness.settle();
  const crashed = failureMessage('app-exited', ['Exit code 1.']);
  expect(store.statusOf(appId)).toMatchObject({ status: 'backoff', message: crashed });
  await clock.advance(5_000);
  expect(await runningOf(appId)).toMatchObject([{ release: 1 }]);
  expect(store.statusOf(appId).status).toBe('synced');
});

it('wakes the release that served before a cancelled one', async () => {
  const harness = await startReconcilerHarness();
  const appId = await cancelledUpdate(harness);
  for (const instances of [0, 1]) {
    harness.store.editApp(appId, { instances });
    await harness.settle();
  }
  expect(await harness.runningOf(appId)).toMatchObject([{ release: 1 }]);
  expect(outcomesOf(harness, appId)).toEqual(['live', 'cancelled']);
});
