import { buildAppValues } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { startBench } from '../../test/reconciler/reconciler-bench.ts';
import type { Engine } from '../engines/engine.ts';
import { EngineFailure } from '../engines/failure.ts';

const { source } = buildAppValues();
const withRef = (ref: string) => ({ source: { ...source, ref } });

/** Remembers the signal of every build. */
function watchBuilds() {
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

it('interrupts a build for a new wish, and supersedes its release', async () => {
  const { builds, wrapEngine } = watchBuilds();
  const { store, engine, settle, runningOf, errors } = await startBench({ wrapEngine });
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

it('interrupts a build of a deleted app', async () => {
  const { builds, wrapEngine } = watchBuilds();
  const { store, engine, settle, observe, routeOf } = await startBench({ wrapEngine });
  const appId = store.addApp();
  engine.setBehaviour(appId, { build: 'stalls' });
  await settle();
  store.deleteApp(appId);
  await settle();
  expect(builds[0]?.signal.aborted).toBe(true);
  expect(await observe(appId)).toEqual({ built: [], instances: [] });
  expect(routeOf(appId)).toBeUndefined();
});

it('does not let its own statuses interrupt it', async () => {
  const { builds, wrapEngine } = watchBuilds();
  const { store, settle } = await startBench({ wrapEngine });
  const appId = store.addApp();
  await settle();
  expect(store.statusOf(appId).status).toBe('synced');
  expect(builds.map(({ signal }) => signal.aborted)).toEqual([false]);
});

it('deploys one app while another one hangs', async () => {
  const { store, engine, settle } = await startBench({ builds: 2 });
  const [stuck, quick] = [store.addApp(), store.addApp()];
  engine.setBehaviour(stuck, { build: 'stalls' });
  await settle();
  expect(store.statusOf(quick).status).toBe('synced');
  expect(store.statusOf(stuck).message).toBe('Reconcile: building');
});

it('builds no more at once than there are places, and starts what is built meanwhile', async () => {
  const { store, engine, settle, clock } = await startBench({ builds: 1 });
  const [sleeper, first, second] = [store.addApp(), store.addApp(), store.addApp()];
  await settle();
  store.editApp(sleeper, { instances: 0 });
  await settle();
  engine.setBehaviour(first, { build: 'stalls' });
  store.editApp(first, withRef('next'));
  await settle();
  store.editApp(second, withRef('next'));
  store.editApp(sleeper, { instances: 1 });
  await settle();
  expect(store.statusOf(second).message).toBe('Waiting to reconcile');
  expect(store.statusOf(sleeper).status).toBe('synced');
  store.deleteApp(first);
  await clock.advance(0);
  expect(store.statusOf(second).status).toBe('synced');
});

it('looks at everything when changes went by untold', async () => {
  const { store, settle, runningOf } = await startBench();
  const appId = store.addApp();
  await settle();
  store.loseChanges(() => store.editApp(appId, { instances: 0 }));
  await settle();
  expect(await runningOf(appId)).toHaveLength(1);
  store.tellMissed();
  await settle();
  expect(await runningOf(appId)).toEqual([]);
});

it('serves again after a restart what served before, without starting it again', async () => {
  const { store, settle, restart, routeOf, runningOf, doneTo } = await startBench();
  const appId = store.addApp();
  await settle();
  const [instance] = await runningOf(appId);
  await restart();
  expect(routeOf(appId)?.route).toEqual({ kind: 'live', targets: [instance?.address] });
  expect(doneTo(appId).filter((call) => call.startsWith('start'))).toEqual(['startInstance 1']);
  expect(store.statusOf(appId).status).toBe('synced');
});

it('lets visitors wait for apps that it has not looked at yet', async () => {
  const { store, settle, nextServer } = await startBench();
  const [serving, asleep, deleted] = [store.addApp(), store.addApp(), store.addApp()];
  store.editApp(asleep, { instances: 0 });
  await settle();
  store.deleteApp(deleted);
  const { reconciler, routes } = await nextServer();
  await reconciler.expectVisitors();
  expect(routes.of(serving)).toMatchObject({
    hosts: [expect.stringContaining('app-1')],
    route: { kind: 'starting' },
  });
  expect(routes.of(asleep)?.route).toEqual({ kind: 'hibernated', wakesOnRequest: false });
  expect(routes.appIds()).not.toContain(deleted);
});

it('does not send visitors away from an app that serves already', async () => {
  const { store, settle, reconciler, routeOf } = await startBench();
  const appId = store.addApp();
  await settle();
  await reconciler().expectVisitors();
  expect(routeOf(appId)?.route.kind).toBe('live');
});

it('says nothing new of an app that it only finds again', async () => {
  const { store, restart, settle } = await startBench();
  const appId = store.addApp();
  await settle();
  const said = store.statusesOf(appId).length;
  await restart();
  expect(store.statusesOf(appId)).toHaveLength(said);
});

it('asks an app that served before again, however long it is silent after a restart', async () => {
  const { store, engine, clock, restart, routeOf, settle } = await startBench();
  const appId = store.addApp();
  await settle();
  engine.setBehaviour(appId, { waitUntilListening: new EngineFailure('port-never-answered') });
  await restart();
  expect(store.statusOf(appId).status).toBe('backoff');
  engine.setBehaviour(appId, {});
  await clock.advance(60_000);
  expect(store.statusOf(appId).status).toBe('synced');
  expect(routeOf(appId)?.route.kind).toBe('live');
  expect(store.releasesOf(appId)).toMatchObject([{ number: 1, outcome: 'live' }]);
});

it('goes on after a restart with what it was making', async () => {
  const { store, engine, settle, restart, runningOf } = await startBench();
  const appId = store.addApp();
  engine.setBehaviour(appId, { build: 'stalls' });
  await settle();
  engine.setBehaviour(appId, {});
  await restart();
  expect(store.statusOf(appId).status).toBe('synced');
  expect(await runningOf(appId)).toMatchObject([{ release: 1 }]);
});

it('builds what got lost of the commit that it was built of', async () => {
  const { builds, wrapEngine } = watchBuilds();
  const { store, engine, settle, restart, runningOf } = await startBench({ wrapEngine });
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

it('removes after a restart what was deleted meanwhile', async () => {
  const { store, settle, restart, observe, logs } = await startBench();
  const appId = store.addApp();
  await settle();
  logs.set(appId, ['a line']);
  store.loseChanges(() => store.deleteApp(appId));
  await restart();
  expect(await observe(appId)).toEqual({ built: [], instances: [] });
  expect(logs.has(appId)).toBe(false);
});

it('forgets the log of a deleted app although the server ended in the middle of its removal', async () => {
  const { store, engine, settle, restart, logs } = await startBench();
  const appId = store.addApp();
  await settle();
  logs.set(appId, ['a line']);
  store.loseChanges(() => store.deleteApp(appId));
  await engine.removeApp(appId, new AbortController().signal);
  await restart();
  expect(logs.has(appId)).toBe(false);
});

it('takes the route of a deleted app away although nobody told of it and the engine holds nothing', async () => {
  const { store, engine, settle, routeOf } = await startBench();
  const appId = store.addApp();
  engine.setBehaviour(appId, { build: new EngineFailure('build-failed') });
  await settle();
  store.loseChanges(() => store.deleteApp(appId));
  store.tellMissed();
  await settle();
  expect(routeOf(appId)).toBeUndefined();
});
