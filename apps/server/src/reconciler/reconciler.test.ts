import { buildAppValues } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { startReconcilerHarness } from '../../test/reconciler/reconciler-harness.ts';
import type { ReconcilerStore } from '../apps/reconciler-store.ts';
import type { Engine } from '../engines/engine.ts';
import { EngineFailure } from '../engines/failure.ts';

const { source } = buildAppValues();
const withRef = (ref: string) => ({ source: { ...source, ref } });

/** Records the signal of every build. */
function recordBuilds() {
  const builds: { appId: string; release: number; ref: string; signal: AbortSignal }[] = [];
  const wrapEngine = (engine: Engine): Engine => ({
    ...engine,
    build(spec, progress, signal) {
      const ref = spec.origin.kind === 'git' ? spec.origin.ref : '';
      builds.push({ appId: spec.appId, release: spec.number, ref, signal });
      return engine.build(spec, progress, signal);
    },
  });
  return { builds, wrapEngine };
}

it('interrupts a build when the values change, and supersedes its release', async () => {
  const { builds, wrapEngine } = recordBuilds();
  const { store, engine, settle, runningOf, errors } = await startReconcilerHarness({ wrapEngine });
  const appId = store.addApp();
  engine.setBehaviour(appId, { build: 'stalls' });
  await settle();
  engine.setBehaviour(appId, {});
  store.editApp(appId, withRef('next'));
  await settle();
  expect(errors).toEqual([]);
  expect(builds.map(({ release, signal }) => [release, signal.aborted])).toEqual([
    [1, true],
    [2, false],
  ]);
  expect(store.releasesOf(appId).map(({ outcome }) => outcome)).toEqual(['superseded', 'live']);
  expect(await runningOf(appId)).toMatchObject([{ release: 2 }]);
});

it('writes nothing in a pass over an app that is settled, also after a server restart', async () => {
  const written: string[] = [];
  const wrapStore = (store: ReconcilerStore): ReconcilerStore => ({
    ...store,
    async report(report) {
      written.push(report.status);
      await store.report(report);
    },
    async setServing(appId, serving) {
      written.push(`serving ${serving?.release}`);
      await store.setServing(appId, serving);
    },
  });
  const { store, reconciler, settle, restart } = await startReconcilerHarness({ wrapStore });
  const appId = store.addApp();
  await settle();
  expect(written).toContain('serving 1');
  expect(written.at(-1)).toBe('synced');
  written.length = 0;
  reconciler().requestPass(appId);
  await settle();
  expect(written).toEqual([]);
  await restart();
  expect(written).toEqual([]);
});

it('applies edge settings at once, also during a build, without interrupting it', async () => {
  const { builds, wrapEngine } = recordBuilds();
  const { store, engine, settle, routeOf } = await startReconcilerHarness({ wrapEngine });
  const appId = store.addApp();
  await settle();
  engine.setBehaviour(appId, { build: 'stalls' });
  store.editApp(appId, withRef('next'));
  await settle();
  store.editApp(appId, { edge: { maintenance: true } });
  await settle();
  expect(routeOf(appId)?.route).toMatchObject({ kind: 'live', policy: { maintenance: true } });
  expect(builds.map(({ signal }) => signal.aborted)).toEqual([false, false]);
  store.editApp(appId, { edge: {} });
  await settle();
  expect(routeOf(appId)?.route.policy).toEqual({});
});

it('neither restarts an app nor retries a failed release when edge settings change', async () => {
  const { builds, wrapEngine } = recordBuilds();
  const { store, engine, settle, routeOf, actionsOn } = await startReconcilerHarness({
    wrapEngine,
  });
  const [serving, failed] = [store.addApp(), store.addApp()];
  engine.setBehaviour(failed, { build: new EngineFailure('build-failed') });
  await settle();
  const actions = [actionsOn(serving).length, actionsOn(failed).length, builds.length];
  const status = store.statusOf(failed);
  for (const appId of [serving, failed]) store.editApp(appId, { edge: { maintenance: true } });
  await settle();
  expect([actionsOn(serving).length, actionsOn(failed).length, builds.length]).toEqual(actions);
  expect(store.statusOf(failed)).toEqual(status);
  for (const appId of [serving, failed]) {
    expect(routeOf(appId)?.route.policy).toEqual({ maintenance: true });
  }
});

it('interrupts a build of a deleted app', async () => {
  const { builds, wrapEngine } = recordBuilds();
  const { store, engine, settle, observe, routeOf } = await startReconcilerHarness({ wrapEngine });
  const appId = store.addApp();
  engine.setBehaviour(appId, { build: 'stalls' });
  await settle();
  store.deleteApp(appId);
  await settle();
  expect(builds[0]?.signal.aborted).toBe(true);
  expect(await observe(appId)).toEqual({ built: [], instances: [] });
  expect(routeOf(appId)).toBeUndefined();
});

it('is not interrupted by its own status reports', async () => {
  const { builds, wrapEngine } = recordBuilds();
  const { store, settle } = await startReconcilerHarness({ wrapEngine });
  const appId = store.addApp();
  await settle();
  expect(store.statusOf(appId).status).toBe('synced');
  expect(builds.map(({ signal }) => signal.aborted)).toEqual([false]);
});

it('deploys one app while another one hangs', async () => {
  const { store, engine, settle } = await startReconcilerHarness({ maxBuilds: 2 });
  const [stuck, quick] = [store.addApp(), store.addApp()];
  engine.setBehaviour(stuck, { build: 'stalls' });
  await settle();
  expect(store.statusOf(quick).status).toBe('synced');
  expect(store.statusOf(stuck).message).toBe('Reconcile: building');
});

it('limits concurrent builds, and starts built apps without a build slot', async () => {
  const { store, engine, settle, clock } = await startReconcilerHarness({ maxBuilds: 1 });
  const [hibernated, first, second] = [store.addApp(), store.addApp(), store.addApp()];
  await settle();
  store.editApp(hibernated, { instances: 0 });
  await settle();
  engine.setBehaviour(first, { build: 'stalls' });
  store.editApp(first, withRef('next'));
  await settle();
  store.editApp(second, withRef('next'));
  store.editApp(hibernated, { instances: 1 });
  await settle();
  expect(store.statusOf(second).message).toBe('Waiting for a free build slot: next in the queue');
  expect(store.statusOf(hibernated).status).toBe('synced');
  store.deleteApp(first);
  await clock.advance(0);
  expect(store.statusOf(second).status).toBe('synced');
});

it('reconciles every app after missed notifications', async () => {
  const { store, settle, runningOf } = await startReconcilerHarness();
  const appId = store.addApp();
  await settle();
  store.loseChanges(() => store.editApp(appId, { instances: 0 }));
  await settle();
  expect(await runningOf(appId)).toHaveLength(1);
  store.reportMissed();
  await settle();
  expect(await runningOf(appId)).toEqual([]);
});

it('routes to running instances after a server restart, without restarting them', async () => {
  const { store, settle, restart, routeOf, runningOf, actionsOn } = await startReconcilerHarness();
  const appId = store.addApp();
  await settle();
  const [instance] = await runningOf(appId);
  await restart();
  expect(routeOf(appId)?.route).toEqual({ kind: 'live', targets: [instance?.address] });
  expect(actionsOn(appId).filter((call) => call.startsWith('start'))).toEqual(['startInstance 1']);
  expect(store.statusOf(appId).status).toBe('synced');
});

it('adds routes that hold requests for apps without a pass yet', async () => {
  const { store, settle, nextServer } = await startReconcilerHarness();
  const [serving, asleep, deleted] = [store.addApp(), store.addApp(), store.addApp()];
  store.editApp(asleep, { instances: 0 });
  await settle();
  store.deleteApp(deleted);
  const { reconciler, routes } = await nextServer();
  await reconciler.addPendingRoutes();
  expect(routes.of(serving)).toMatchObject({
    hosts: [expect.stringContaining('app-1')],
    route: { kind: 'starting' },
  });
  expect(routes.of(asleep)?.route).toEqual({ kind: 'hibernated', wakesOnRequest: false });
  expect(routes.appIds()).not.toContain(deleted);
});

it('keeps the live route of an app that serves already', async () => {
  const { store, settle, reconciler, routeOf } = await startReconcilerHarness();
  const appId = store.addApp();
  await settle();
  await reconciler().addPendingRoutes();
  expect(routeOf(appId)?.route.kind).toBe('live');
});

it('reports no new status for an app that still runs after a server restart', async () => {
  const { store, restart, settle } = await startReconcilerHarness();
  const appId = store.addApp();
  await settle();
  const count = store.statusesOf(appId).length;
  await restart();
  expect(store.statusesOf(appId)).toHaveLength(count);
});

it('keeps checking an app that served before a server restart until it answers', async () => {
  const { store, engine, clock, restart, routeOf, settle } = await startReconcilerHarness();
  const appId = store.addApp();
  await settle();
  engine.setBehaviour(appId, { waitUntilListening: new EngineFailure('port-never-answered') });
  await restart();
  expect(store.statusOf(appId).status).toBe('backoff');
  expect(store.observedOf(appId).serving).toBeUndefined();
  engine.setBehaviour(appId, {});
  await clock.advance(60_000);
  expect(store.statusOf(appId).status).toBe('synced');
  expect(routeOf(appId)?.route.kind).toBe('live');
  expect(store.releasesOf(appId)).toMatchObject([{ number: 1, outcome: 'live' }]);
});

it('continues an interrupted release after a server restart', async () => {
  const { store, engine, settle, restart, runningOf } = await startReconcilerHarness();
  const appId = store.addApp();
  engine.setBehaviour(appId, { build: 'stalls' });
  await settle();
  engine.setBehaviour(appId, {});
  await restart();
  expect(store.statusOf(appId).status).toBe('synced');
  expect(await runningOf(appId)).toMatchObject([{ release: 1 }]);
});

it('rebuilds a lost build from the same commit', async () => {
  const { builds, wrapEngine } = recordBuilds();
  const { store, engine, settle, restart, runningOf } = await startReconcilerHarness({
    wrapEngine,
  });
  const appId = store.addApp();
  await settle();
  const [{ revision } = {}] = store.releasesOf(appId);
  await engine.removeApp(appId, new AbortController().signal);
  await restart();
  expect(builds.map(({ release, ref }) => [release, ref])).toEqual([
    [1, 'main'],
    [1, revision],
  ]);
  expect(store.releasesOf(appId)).toMatchObject([{ number: 1, revision, outcome: 'live' }]);
  expect(await runningOf(appId)).toMatchObject([{ release: 1 }]);
});

it('removes an app that was deleted while the server was not running', async () => {
  const { store, settle, restart, observe, logs } = await startReconcilerHarness();
  const appId = store.addApp();
  await settle();
  logs.set(appId, ['a line']);
  store.loseChanges(() => store.deleteApp(appId));
  await restart();
  expect(await observe(appId)).toEqual({ built: [], instances: [] });
  expect(logs.has(appId)).toBe(false);
});

it('deletes the log of a deleted app even if the server stopped during its removal', async () => {
  const { store, engine, settle, restart, logs } = await startReconcilerHarness();
  const appId = store.addApp();
  await settle();
  logs.set(appId, ['a line']);
  store.loseChanges(() => store.deleteApp(appId));
  await engine.removeApp(appId, new AbortController().signal);
  await restart();
  expect(logs.has(appId)).toBe(false);
});

it('removes the route of a deleted app without a notification and without anything on the engine', async () => {
  const { store, engine, settle, routeOf } = await startReconcilerHarness();
  const appId = store.addApp();
  engine.setBehaviour(appId, { build: new EngineFailure('build-failed') });
  await settle();
  store.loseChanges(() => store.deleteApp(appId));
  store.reportMissed();
  await settle();
  expect(routeOf(appId)).toBeUndefined();
});

it('observes some apps at a time after a start, and others while the engine does not respond', async () => {
  const observed = new Set<string>();
  let isDown = false;
  const wrapEngine = (engine: Engine): Engine => ({
    ...engine,
    observe(appId, signal) {
      observed.add(appId);
      if (!isDown) return engine.observe(appId, signal);
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      );
    },
  });
  const { store, settle, clock, restart, reconciler } = await startReconcilerHarness({
    wrapEngine,
  });
  for (let count = 0; count < 40; count += 1) store.addApp();
  await settle();
  expect(observed.size).toBe(40);
  isDown = true;
  observed.clear();
  await restart();
  expect(observed.size).toBe(16);
  expect(reconciler().load().reconciling).toBe(40);
  await clock.advance(1_000);
  expect(observed.size).toBe(32);
  await clock.advance(1_000);
  expect(observed.size).toBe(40);
});

it('reconciles an edit at once while many other apps wait for their pass', async () => {
  const observed: string[] = [];
  let isSlow = false;
  const wrapEngine = (engine: Engine): Engine => ({
    ...engine,
    observe(appId, signal) {
      observed.push(appId);
      return isSlow
        ? new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        : engine.observe(appId, signal);
    },
  });
  const { store, settle, restart } = await startReconcilerHarness({ wrapEngine });
  const appIds = Array.from({ length: 40 }, () => store.addApp());
  await settle();
  isSlow = true;
  observed.length = 0;
  await restart();
  const last = appIds.find((appId) => !observed.includes(appId)) ?? '';
  store.editApp(last, withRef('next'));
  await settle();
  expect(observed).toHaveLength(17);
  expect(observed.at(-1)).toBe(last);
});
