import { buildAppValues } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { startReconcilerHarness } from '../../test/reconciler/reconciler-harness.ts';
import type { Engine } from '../engines/engine.ts';
import { EngineFailure } from '../engines/failure.ts';
import { failureMessage } from './messages.ts';

const { source, publicAccess } = buildAppValues();
type Harness = Awaited<ReturnType<typeof startReconcilerHarness>>;

/** Release 1 serves with COLOUR=red; the newest release, with another ref and colour, fails. */
async function failedUpdate(failure: EngineFailure) {
  const started: { release: number; env: Record<string, string> }[] = [];
  const wrapEngine = (engine: Engine): Engine => ({
    ...engine,
    startInstance(spec, signal) {
      started.push({ release: spec.number, env: spec.env });
      return engine.startInstance(spec, signal);
    },
  });
  const harness = await startReconcilerHarness({ wrapEngine });
  const appId = harness.store.addApp({ env: { COLOUR: 'red' } });
  await harness.settle();
  harness.engine.setBehaviour(appId, { build: failure });
  harness.store.editApp(appId, { source: { ...source, ref: 'next' }, env: { COLOUR: 'blue' } });
  await harness.settle();
  started.length = 0;
  async function crash() {
    for (const { id } of await harness.runningOf(appId)) harness.engine.exitInstance(appId, id);
    await harness.settle();
  }
  return { ...harness, appId, started, crash };
}

const FINAL = new EngineFailure('build-failed', ['exit code 1']);
const RETRIED = new EngineFailure('repository-unreachable');

it('publishes the release that serves while the newest one is built, fails and is retried', async () => {
  const { store, routeOf, appId } = await failedUpdate(RETRIED);
  const { serving, retry } = store.observedOf(appId);
  expect(serving).toMatchObject({ release: 1, hosts: routeOf(appId)?.hosts });
  expect(serving?.logName).toMatch(/-1$/);
  expect(retry?.kind).toBe('retry');
});

it('publishes no next attempt of a release that has failed for good', async () => {
  const { store, crash, clock, appId } = await failedUpdate(FINAL);
  expect(store.observedOf(appId)).toMatchObject({ serving: { release: 1 }, retry: undefined });
  await crash();
  expect(store.observedOf(appId)).toEqual({ serving: undefined, retry: undefined });
  await clock.advance(1_000);
  expect(store.observedOf(appId)).toMatchObject({ serving: { release: 1 }, retry: undefined });
});

it.each([
  ['hibernated', { instances: 0 }, undefined],
  ['private', { publicAccess: { ...publicAccess, enabled: false } }, { release: 1, hosts: [] }],
])('publishes what serves when the app becomes %s', async (_, change, serving) => {
  const { store, settle, appId } = await failedUpdate(FINAL);
  store.editApp(appId, change);
  await settle();
  const observed = store.observedOf(appId).serving;
  if (serving === undefined) expect(observed).toBeUndefined();
  else expect(observed).toMatchObject(serving);
});

it.each([
  ['has failed', FINAL],
  ['is being retried', RETRIED],
])(
  'restarts the previous release with its values after a crash, while the newest one %s',
  async (_, failure) => {
    const { store, clock, crash, started, routeOf, runningOf, appId } = await failedUpdate(failure);
    const before = store.statusesOf(appId).length;
    await crash();
    expect(started).toEqual([]);
    await clock.advance(1_000);
    expect(started).toEqual([{ release: 1, env: { COLOUR: 'red' } }]);
    const [instance] = await runningOf(appId);
    expect(routeOf(appId)?.route).toEqual({ kind: 'live', targets: [instance?.address] });
    expect(store.statusOf(appId).message).toBe(failureMessage(failure.reason, failure.evidence));
    expect(store.statusesOf(appId)).toHaveLength(before);
  },
);

it.each([
  ['has failed', FINAL],
  ['is being retried', RETRIED],
])('starts the previous release after a reboot, while the newest one %s', async (_, failure) => {
  const { engine, clock, restart, started, runningOf, routeOf, appId } =
    await failedUpdate(failure);
  engine.setBehaviour(appId, { build: failure, losesEvents: true });
  for (const { id } of await runningOf(appId)) engine.exitInstance(appId, id);
  await restart();
  await clock.advance(1_000);
  expect(started).toEqual([{ release: 1, env: { COLOUR: 'red' } }]);
  expect(routeOf(appId)?.route.kind).toBe('live');
});

it('builds the previous release again on an engine that has neither, and keeps reporting the failure of the newest one', async () => {
  const { store, engine, restart, started, actionsOn, runningOf, routeOf, appId } =
    await failedUpdate(FINAL);
  const before = store.statusesOf(appId).length;
  const revision = store.releasesOf(appId)[0]?.revision;
  engine.setBehaviour(appId, {});
  await engine.removeApp(appId, new AbortController().signal);
  engine.calls.length = 0;
  await restart();
  expect(actionsOn(appId)).toEqual(['build 1', 'startInstance 1', 'waitUntilListening 1']);
  expect(started).toEqual([{ release: 1, env: { COLOUR: 'red' } }]);
  expect(store.releasesOf(appId)[0]).toMatchObject({ revision, outcome: 'live' });
  const [instance] = await runningOf(appId);
  expect(routeOf(appId)?.route).toEqual({ kind: 'live', targets: [instance?.address] });
  expect(store.statusOf(appId).message).toBe(failureMessage('build-failed', FINAL.evidence));
  expect(store.statusesOf(appId)).toHaveLength(before);
});

it('retries the lost build of the previous release until it works', async () => {
  const { store, engine, clock, restart, appId } = await failedUpdate(FINAL);
  const failing = new EngineFailure('repository-unreachable');
  engine.setBehaviour(appId, { build: failing });
  await engine.removeApp(appId, new AbortController().signal);
  await restart();
  await clock.advance(60_000);
  expect(store.statusOf(appId).message).toBe(failureMessage('build-failed', FINAL.evidence));
  engine.setBehaviour(appId, {});
  await clock.advance(600_000);
  expect(store.observedOf(appId).serving).toMatchObject({ release: 1 });
});

it('builds the previous release again once a day if that fails for good', async () => {
  const { engine, clock, restart, runningOf, appId } = await failedUpdate(FINAL);
  await engine.removeApp(appId, new AbortController().signal);
  let builds = 0;
  const { build } = engine;
  engine.build = async (...parameters) => {
    builds += 1;
    return await build(...parameters);
  };
  await restart();
  await clock.advance(23 * 3_600_000);
  expect(builds).toBe(1);
  engine.setBehaviour(appId, {});
  await clock.advance(2 * 3_600_000);
  expect(builds).toBe(2);
  expect(await runningOf(appId)).toMatchObject([{ release: 1 }]);
});

it('ends the lost build of the previous release when the owner retries the newest one', async () => {
  const { store, engine, clock, restart, settle, actionsOn, runningOf, appId } =
    await failedUpdate(RETRIED);
  await engine.removeApp(appId, new AbortController().signal);
  const { build } = engine;
  let isFixed = false;
  engine.build = async (spec, progress, signal) => {
    const newest = isFixed ? 'works' : RETRIED;
    engine.setBehaviour(appId, { build: spec.number === 1 ? 'stalls' : newest });
    return await build(spec, progress, signal);
  };
  await restart();
  await clock.advance(200_000);
  isFixed = true;
  engine.calls.length = 0;
  await clock.advance(600_000);
  expect(actionsOn(appId)).toEqual([]);
  store.requestRetry(appId);
  await settle();
  expect(actionsOn(appId)).toEqual(['build 2', 'startInstance 2', 'waitUntilListening 2']);
  expect(await runningOf(appId)).toMatchObject([{ release: 2 }]);
});

it('waits longer after each crash of the previous release, and keeps reporting the failure of the newest one', async () => {
  const { store, engine, clock, crash, started, routeOf, appId } = await failedUpdate(FINAL);
  engine.setBehaviour(appId, { build: FINAL, exitsAfterStart: { code: 1, signal: undefined } });
  await crash();
  await clock.advance(60_000);
  expect(started).toHaveLength(5);
  expect(routeOf(appId)?.route).toEqual({ kind: 'failed' });
  expect(store.statusOf(appId).message).toBe(failureMessage('build-failed', FINAL.evidence));
});

it('reconciles the next edit immediately, however often the previous release crashes', async () => {
  const { store, engine, clock, crash, settle, runningOf, appId } = await failedUpdate(FINAL);
  engine.setBehaviour(appId, { build: FINAL, exitsAfterStart: { code: 1, signal: undefined } });
  await crash();
  await clock.advance(600_000);
  engine.setBehaviour(appId, {});
  store.editApp(appId, { source: { ...source, ref: 'fixed' } });
  await settle();
  expect(await runningOf(appId)).toMatchObject([{ release: 3 }]);
  expect(store.statusOf(appId).status).toBe('synced');
});

it('converges on the last edit of a burst', async () => {
  const { store, engine, settle, runningOf, started, appId } = await failedUpdate(FINAL);
  engine.setBehaviour(appId, { build: 'stalls' });
  for (const ref of ['a', 'b', 'c', 'd']) {
    store.editApp(appId, { source: { ...source, ref } });
    await settle();
  }
  engine.setBehaviour(appId, {});
  store.editApp(appId, { source: { ...source, ref: 'last' } });
  await settle();
  const outcomes = store.releasesOf(appId).map(({ outcome }) => outcome);
  expect(outcomes.slice(2)).toEqual([...Array(4).fill('superseded'), 'live']);
  expect(started.map(({ release }) => release)).toEqual([7]);
  expect(await runningOf(appId)).toMatchObject([{ release: 7 }]);
});

it('rolls back to a stored release without a build, even if all build slots are taken', async () => {
  const { store, engine, settle, actionsOn, runningOf } = await startReconcilerHarness({
    maxBuilds: 1,
  });
  const [appId, busy] = [store.addApp({ env: { COLOUR: 'red' } }), store.addApp()];
  await settle();
  store.editApp(appId, { source: { ...source, ref: 'bad' }, env: { COLOUR: 'blue' } });
  await settle();
  engine.setBehaviour(busy, { build: 'stalls' });
  store.editApp(busy, { source: { ...source, ref: 'slow' } });
  await settle();
  const { values, revision = '' } = store.releasesOf(appId)[0] ?? {};
  store.editApp(appId, { ...values, source: { ...source, ref: revision } });
  await settle();
  expect(actionsOn(appId).slice(-4)).toEqual([
    'reuseBuild 3',
    'startInstance 3',
    'waitUntilListening 3',
    'stopInstance 2',
  ]);
  expect(store.releasesOf(appId).at(-1)).toMatchObject({ from: 1, revision, outcome: 'live' });
  expect(await runningOf(appId)).toMatchObject([{ release: 3 }]);
});

it('restarts with a changed variable or start command without a build, and builds again for a redeploy', async () => {
  const { store, settle, actionsOn } = await startReconcilerHarness();
  const appId = store.addApp({ env: { COLOUR: 'red', VITE_COLOUR: 'red' } });
  await settle();
  const editAndCount = async (change: Parameters<typeof store.editApp>[1]) => {
    const before = actionsOn(appId).length;
    store.editApp(appId, change);
    await settle();
    return actionsOn(appId).slice(before)[0];
  };
  expect(await editAndCount({ env: { COLOUR: 'blue', VITE_COLOUR: 'red' } })).toBe('reuseBuild 2');
  expect(await editAndCount({ run: { command: 'node b' } })).toBe('reuseBuild 3');
  expect(await editAndCount({ env: { VITE_COLOUR: 'blue' } })).toBe('build 4');
  expect(await editAndCount({ env: { VITE_COLOUR: 'blue', A: '1' } })).toBe('reuseBuild 5');
  store.redeployApp(appId);
  await settle();
  expect(actionsOn(appId)).toContain('build 6');
  expect(store.releasesOf(appId).map(({ from }) => from)).toEqual([
    undefined,
    1,
    2,
    undefined,
    4,
    undefined,
  ]);
});

it('restarts the previous release while the newest one is being built', async () => {
  const harness = await startReconcilerHarness();
  const { store, engine, clock, settle, routeOf, runningOf } = harness;
  const appId = store.addApp();
  await settle();
  engine.setBehaviour(appId, { build: 'stalls' });
  store.editApp(appId, { source: { ...source, ref: 'next' } });
  await settle();
  for (let crashes = 1; crashes <= 3; crashes += 1) {
    for (const { id } of await runningOf(appId)) engine.exitInstance(appId, id);
    await settle();
    expect(routeOf(appId)?.route.kind).toBe('failed');
    await clock.advance(1_000 * 2 ** (crashes - 1));
    const [instance] = await runningOf(appId);
    expect(instance?.release).toBe(1);
    expect(routeOf(appId)?.route).toEqual({ kind: 'live', targets: [instance?.address] });
  }
  expect(store.statusOf(appId).status).toBe('syncing');
  expect(harness.actionsOn(appId).filter((call) => call.startsWith('build'))).toEqual(['build 1']);
  engine.setBehaviour(appId, {});
  store.editApp(appId, { source: { ...source, ref: 'later' } });
  await settle();
  expect(await runningOf(appId)).toMatchObject([{ release: 3 }]);
  expect(store.statusOf(appId)).toMatchObject({ status: 'synced', observedGeneration: 3 });
});

it.each<[string, (store: Harness['store'], appId: string) => void]>([
  ['deleted', (store, appId) => store.deleteApp(appId)],
  ['hibernated', (store, appId) => store.editApp(appId, { instances: 0 })],
])('ends the build of an app that is %s while its previous release starts', async (_, change) => {
  const { store, engine, clock, settle, routeOf } = await startReconcilerHarness();
  const appId = store.addApp();
  await settle();
  engine.setBehaviour(appId, { build: 'stalls', startInstance: 'stalls' });
  store.editApp(appId, { source: { ...source, ref: 'next' } });
  await settle();
  engine.exitInstance(appId, '1');
  await clock.advance(1_000);
  expect(routeOf(appId)?.route.kind).toBe('starting');
  change(store, appId);
  await settle();
  expect(routeOf(appId)?.route.kind).not.toBe('starting');
  expect(store.statusOf(appId)).toMatchObject({ status: 'synced', observedGeneration: 3 });
});

it('continues a build while the engine cannot observe', async () => {
  const { store, engine, clock, settle, runningOf } = await startReconcilerHarness();
  const appId = store.addApp();
  await settle();
  engine.setBehaviour(appId, { build: 'stalls' });
  store.editApp(appId, { source: { ...source, ref: 'next' } });
  await settle();
  engine.setBehaviour(appId, { observe: new Error('busy') });
  engine.exitInstance(appId, '1');
  await settle();
  engine.setBehaviour(appId, {});
  await clock.advance(7_000);
  expect(await runningOf(appId)).toMatchObject([{ release: 1 }]);
});
