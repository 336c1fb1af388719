import { buildAppValues } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { startReconcilerHarness } from '../../test/reconciler/reconciler-harness.ts';
import type { Instance } from '../engines/engine.ts';
import { EngineFailure } from '../engines/failure.ts';

const { source } = buildAppValues();
const next = { source: { ...source, ref: 'next' } };

async function deployed(replicas: number) {
  const harness = await startReconcilerHarness();
  const appId = harness.store.addApp({ replicas });
  await harness.settle();
  const idsOf = async () => (await harness.runningOf(appId)).map(({ id }) => id);
  const targetsOf = () => {
    const route = harness.routeOf(appId)?.route;
    return route?.kind === 'live' ? route.targets : [];
  };
  const addressesOf = async () => (await harness.runningOf(appId)).map(({ address }) => address);
  return { ...harness, appId, idsOf, targetsOf, addressesOf };
}

it('routes requests to all instances, and publishes their names', async () => {
  const { store, appId, targetsOf, addressesOf } = await deployed(3);
  expect(targetsOf()).toHaveLength(3);
  expect(targetsOf()).toEqual(await addressesOf());
  expect(store.observedOf(appId).serving?.logNames).toHaveLength(3);
  expect(store.releasesOf(appId)).toMatchObject([{ outcome: 'live', values: { replicas: 3 } }]);
});

it('scales up and down without another release, build or restart of those that stay', async () => {
  const { store, routes, appId, idsOf, targetsOf, actionsOn, settle } = await deployed(1);
  const done = actionsOn(appId).length;
  store.editApp(appId, { replicas: 3 });
  await settle();
  expect(await idsOf()).toEqual(['1', '2', '3']);
  expect(targetsOf()).toHaveLength(3);
  store.editApp(appId, { replicas: 2 });
  await settle();
  expect(await idsOf()).toEqual(['1', '2']);
  expect(targetsOf()).toHaveLength(2);
  expect(routes().drainedTargets).toHaveLength(1);
  expect(actionsOn(appId).slice(done)).toEqual([
    'startInstance 1',
    'startInstance 1',
    'waitUntilListening 1',
    'waitUntilListening 1',
    'stopInstance 1',
  ]);
  expect(store.releasesOf(appId)).toMatchObject([{ number: 1 }]);
  expect(store.statusOf(appId)).toMatchObject({ status: 'synced', observedGeneration: 3 });
});

it('takes an instance that leaves out of the rotation before it drains', async () => {
  const harness = await startReconcilerHarness();
  const appId = harness.store.addApp({ replicas: 2 });
  await harness.settle();
  let targets = 0;
  const { drained } = harness.routes();
  harness.routes().drained = async (target, timeoutMs) => {
    const route = harness.routeOf(appId)?.route;
    targets = route?.kind === 'live' ? route.targets.length : 0;
    await drained(target, timeoutMs);
  };
  harness.store.editApp(appId, { replicas: 1 });
  await harness.settle();
  expect(targets).toBe(1);
});

it('protects instances once the edge sends requests to them', async () => {
  const harness = await startReconcilerHarness();
  const appId = harness.store.addApp({ replicas: 2 });
  harness.engine.setBehaviour(appId, { needsProtection: true });
  const applied = Promise.withResolvers<void>();
  let targets = 0;
  harness.routes().applied = () => {
    const route = harness.routeOf(appId)?.route;
    targets = route?.kind === 'live' ? route.targets.length : 0;
    return applied.promise;
  };
  await harness.settle();
  expect(targets).toBe(2);
  expect(harness.actionsOn(appId)).not.toContain('protectInstances');
  applied.resolve();
  await harness.settle();
  expect(harness.actionsOn(appId).filter((action) => /protect/.test(action))).toHaveLength(1);
  expect(harness.store.statusOf(appId)).toMatchObject({ status: 'synced' });
});

it('does not delay an edit while the edge does not answer', async () => {
  const harness = await startReconcilerHarness();
  const appId = harness.store.addApp({ replicas: 2 });
  harness.engine.setBehaviour(appId, { needsProtection: true });
  harness.routes().applied = () => new Promise(() => {});
  await harness.settle();
  harness.store.editApp(appId, { replicas: 1 });
  await harness.settle();
  expect(await harness.runningOf(appId)).toHaveLength(1);
  expect(harness.store.statusOf(appId)).toMatchObject({ status: 'synced', observedGeneration: 2 });
});

it('serves with all instances if they cannot be protected', async () => {
  const harness = await startReconcilerHarness();
  const appId = harness.store.addApp({ replicas: 2 });
  const protectInstances = new EngineFailure('engine-failed');
  harness.engine.setBehaviour(appId, { needsProtection: true, protectInstances });
  await harness.settle();
  const route = harness.routeOf(appId)?.route;
  expect(route?.kind === 'live' && route.targets).toHaveLength(2);
  expect(harness.store.statusOf(appId)).toMatchObject({ status: 'synced' });
});

const isUnprotected = (instance: Instance) => instance.isUnprotected === true;

it('repeats a failed protection after growing pauses, and reports no failure of the app', async () => {
  const harness = await startReconcilerHarness();
  const { store, engine, clock } = harness;
  const appId = store.addApp({ replicas: 2 });
  const protectInstances = new EngineFailure('cluster-down');
  engine.setBehaviour(appId, { needsProtection: true, protectInstances });
  await harness.settle();
  await clock.advance(6_000);
  expect(harness.errors).toEqual([protectInstances, protectInstances, protectInstances]);
  engine.setBehaviour(appId, { needsProtection: true });
  // Ends the timer of the next attempt.
  harness.reconciler().requestPass(appId);
  await clock.advance(1_500);
  expect((await harness.runningOf(appId)).filter(isUnprotected)).toEqual([]);
  expect(store.statusesOf(appId)).not.toContainEqual(
    expect.objectContaining({ status: 'backoff' }),
  );
  const done = harness.actionsOn(appId).length;
  engine.exitInstance(appId, '1');
  engine.exitInstance(appId, '2');
  await harness.settle();
  await clock.advance(1_500);
  expect(harness.actionsOn(appId).slice(done)).toContain('startInstance 1');
});

it('repeats a failed protection of the previous release while the newest one has failed', async () => {
  const harness = await startReconcilerHarness();
  const { store, engine, clock } = harness;
  const appId = store.addApp({ replicas: 2 });
  const protectInstances = new EngineFailure('engine-failed');
  engine.setBehaviour(appId, { needsProtection: true, protectInstances });
  await harness.settle();
  engine.setBehaviour(appId, { protectInstances, build: new EngineFailure('build-failed') });
  store.editApp(appId, next);
  await clock.advance(5_000);
  expect((await harness.runningOf(appId)).filter(isUnprotected)).toHaveLength(2);
  engine.setBehaviour(appId, {});
  await clock.advance(60_000);
  expect((await harness.runningOf(appId)).filter(isUnprotected)).toEqual([]);
});

it('starts all instances of a new release before the traffic moves', async () => {
  const { store, engine, appId, idsOf, targetsOf, addressesOf, settle, clock } = await deployed(3);
  const before = targetsOf();
  engine.setBehaviour(appId, { waitUntilListening: new EngineFailure('port-never-answered') });
  store.editApp(appId, next);
  await settle();
  expect(targetsOf()).toEqual(before);
  expect(await idsOf()).toEqual(['1', '2', '3']);
  engine.setBehaviour(appId, {});
  store.editApp(appId, { env: { COLOUR: 'blue' } });
  await settle();
  await clock.advance(60_000);
  expect((await idsOf()).length).toBe(3);
  expect(targetsOf()).toEqual(await addressesOf());
  expect(targetsOf()).not.toEqual(before);
});

it('replaces one that crashed at once, while the others go on serving', async () => {
  const { store, engine, appId, idsOf, targetsOf, settle, clock } = await deployed(3);
  await clock.advance(5_000);
  const statuses = store.statusesOf(appId).length;
  engine.exitInstance(appId, '2');
  await settle();
  expect(await idsOf()).toEqual(['1', '3', '4']);
  expect(targetsOf()).toHaveLength(3);
  expect(store.statusesOf(appId).slice(statuses)).not.toContainEqual(
    expect.objectContaining({ status: 'backoff' }),
  );
  expect(store.statusOf(appId)).toMatchObject({ status: 'synced' });
});

it('takes an instance that ended out of the rotation also while another one is checked', async () => {
  const { store, engine, appId, targetsOf, settle } = await deployed(2);
  engine.setBehaviour(appId, { waitUntilListening: 'stalls' });
  store.editApp(appId, { replicas: 3 });
  await settle();
  expect(targetsOf()).toHaveLength(2);
  engine.exitInstance(appId, '1');
  await settle();
  expect(targetsOf()).toHaveLength(1);
});

it('replaces an instance that ended while another one is checked', async () => {
  const { store, engine, appId, idsOf, targetsOf, settle, clock } = await deployed(2);
  await clock.advance(5_000);
  engine.setBehaviour(appId, { waitUntilListening: 'stalls' });
  store.editApp(appId, { replicas: 3 });
  await settle();
  engine.setBehaviour(appId, {});
  engine.exitInstance(appId, '1');
  await settle();
  expect(await idsOf()).toEqual(['2', '3', '4']);
  expect(targetsOf()).toHaveLength(2);
});

it('replaces an instance that ended while a new release is checked', async () => {
  const { store, engine, appId, idsOf, targetsOf, settle, clock } = await deployed(2);
  await clock.advance(5_000);
  engine.setBehaviour(appId, { waitUntilListening: 'stalls' });
  store.editApp(appId, next);
  await settle();
  engine.setBehaviour(appId, {});
  engine.exitInstance(appId, '1');
  await settle();
  expect(await idsOf()).toEqual(['2', '3', '4', '5']);
  expect(targetsOf()).toHaveLength(2);
});

it('serves with the first instance that answers after a server restart', async () => {
  const { engine, appId, targetsOf, addressesOf, restart, clock } = await deployed(3);
  const stalls = new Set(['1', '3']);
  const { waitUntilListening } = engine;
  engine.waitUntilListening = async (instance, spec, signal) => {
    engine.setBehaviour(appId, stalls.has(instance.id) ? { waitUntilListening: 'stalls' } : {});
    return await waitUntilListening(instance, spec, signal);
  };
  await restart();
  await clock.advance(500);
  const [, second] = await addressesOf();
  expect(targetsOf()).toEqual([second]);
});

it('waits longer each time for one that never answers, and reports why', async () => {
  const { store, engine, appId, idsOf, targetsOf, settle, clock } = await deployed(1);
  engine.setBehaviour(appId, { exitsAfterStart: { code: 3, signal: undefined } });
  store.editApp(appId, { replicas: 2 });
  await settle();
  await clock.advance(10_000);
  expect(await idsOf()).toEqual(['1']);
  expect(targetsOf()).toHaveLength(1);
  expect(store.statusOf(appId)).toMatchObject({ status: 'backoff' });
  expect(store.statusOf(appId).message).toContain('Exit code 3');
  engine.setBehaviour(appId, {});
  await clock.advance(60_000);
  expect(targetsOf()).toHaveLength(2);
  expect(store.statusOf(appId)).toMatchObject({ status: 'synced' });
});

it('replaces an instance that does not answer, and those that crash meanwhile at once', async () => {
  const { store, engine, appId, idsOf, targetsOf, settle, clock } = await deployed(2);
  await clock.advance(5_000);
  engine.setBehaviour(appId, { waitUntilListening: new EngineFailure('port-never-answered') });
  store.editApp(appId, { replicas: 3 });
  await settle();
  await clock.advance(7_000);
  expect(targetsOf()).toHaveLength(2);
  expect(await idsOf()).not.toContain('3');
  expect(store.statusOf(appId)).toMatchObject({ status: 'backoff' });
  engine.setBehaviour(appId, {});
  const before = await idsOf();
  engine.exitInstance(appId, '1');
  await settle();
  expect((await idsOf()).filter((id) => !before.includes(id))).toHaveLength(1);
  expect(targetsOf()).toHaveLength(2);
  await clock.advance(60_000);
  expect(targetsOf()).toHaveLength(3);
  expect(store.statusOf(appId)).toMatchObject({ status: 'synced' });
});

it('replaces those that crash at once while another one cannot be started', async () => {
  const { store, engine, appId, idsOf, targetsOf, settle, clock } = await deployed(2);
  await clock.advance(5_000);
  engine.setBehaviour(appId, { startInstance: new EngineFailure('engine-failed') });
  store.editApp(appId, { replicas: 3 });
  await settle();
  await clock.advance(40_000);
  expect(await idsOf()).toEqual(['1', '2']);
  engine.setBehaviour(appId, {});
  engine.exitInstance(appId, '1');
  await settle();
  expect(await idsOf()).toEqual(['2', '3']);
  await clock.advance(60_000);
  expect(targetsOf()).toHaveLength(3);
});

it('counts a crash of all instances at once as one', async () => {
  const { store, engine, appId, idsOf, settle, clock } = await deployed(3);
  await clock.advance(5_000);
  for (const id of await idsOf()) engine.exitInstance(appId, id);
  await settle();
  expect(store.statusOf(appId).message).not.toContain('Crashed 3 times');
  await clock.advance(2_000);
  expect((await idsOf()).length).toBe(3);
});

it('starts one at a time, after growing pauses, while each crashes', async () => {
  const { store, engine, appId, actionsOn, idsOf, settle, clock } = await deployed(3);
  await clock.advance(5_000);
  engine.setBehaviour(appId, { exitsAfterStart: { code: 3, signal: undefined } });
  const done = actionsOn(appId).length;
  const starts = () =>
    actionsOn(appId)
      .slice(done)
      .filter((action) => action === 'startInstance 1').length;
  for (const id of await idsOf()) engine.exitInstance(appId, id);
  await settle();
  expect(starts()).toBe(0);
  await clock.advance(1_000);
  expect(starts()).toBe(1);
  await clock.advance(2_000);
  expect(starts()).toBe(2);
  engine.setBehaviour(appId, {});
  await clock.advance(10_000);
  expect(await idsOf()).toHaveLength(3);
  expect(store.statusOf(appId)).toMatchObject({ status: 'synced' });
});

it('adopts all instances after a server restart, and starts nothing', async () => {
  const { appId, actionsOn, targetsOf, addressesOf, restart } = await deployed(3);
  const done = actionsOn(appId).length;
  await restart();
  expect(targetsOf()).toEqual(await addressesOf());
  expect(actionsOn(appId).slice(done)).toEqual(Array(3).fill('waitUntilListening 1'));
});

it('hibernates and wakes with the same number of instances', async () => {
  const { store, appId, idsOf, targetsOf, settle } = await deployed(3);
  store.editApp(appId, { instances: 0 });
  await settle();
  expect(await idsOf()).toEqual([]);
  store.editApp(appId, { instances: 1 });
  await settle();
  expect((await idsOf()).length).toBe(3);
  expect(targetsOf()).toHaveLength(3);
});

it('replaces all instances when the owner restarts the app', async () => {
  const { store, appId, idsOf, settle } = await deployed(3);
  store.restartApp(appId);
  await settle();
  expect(await idsOf()).toEqual(['4', '5', '6']);
});
