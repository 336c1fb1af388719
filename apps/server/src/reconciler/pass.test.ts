import { buildAppValues } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { startReconcilerHarness } from '../../test/reconciler/reconciler-harness.ts';
import { EngineFailure } from '../engines/failure.ts';

const { source, publicAccess } = buildAppValues();
const next = { source: { ...source, ref: 'next' } };

async function deployed() {
  const harness = await startReconcilerHarness();
  const appId = harness.store.addApp();
  await harness.settle();
  return { ...harness, appId };
}

it('reports every phase of a first deploy, and then synced', async () => {
  const { store, appId } = await deployed();
  expect(store.statusesOf(appId).map(({ status, message }) => [status, message])).toEqual([
    ['syncing', 'Waiting to reconcile'],
    ['syncing', 'Reconcile: fetching the source'],
    ['syncing', 'Reconcile: building'],
    ['syncing', 'Reconcile: starting'],
    ['syncing', 'Reconcile: waiting for the app to answer on its port'],
    ['synced', ''],
  ]);
  const [release] = store.releasesOf(appId);
  expect(release).toMatchObject({ number: 1, outcome: 'live' });
  expect(release?.revision).toMatch(/^[0-9a-f]{40}$/);
  expect(release?.phases.map(({ phase }) => phase)).toEqual([
    'queued',
    'fetching',
    'building',
    'starting',
    'checking',
    'live',
  ]);
});

it('reports that the traffic switches while the old release is stopped', async () => {
  const { store, settle, appId } = await deployed();
  store.editApp(appId, next);
  await settle();
  const messages = store.statusesOf(appId).map(({ message }) => message);
  expect(messages.slice(-3)).toEqual([
    'Reconcile: waiting for the app to answer on its port',
    'Reconcile: switching over',
    '',
  ]);
});

it('routes requests to the instance that passed the check', async () => {
  const { routeOf, runningOf, appId } = await deployed();
  const [instance] = await runningOf(appId);
  expect(routeOf(appId)?.route).toEqual({ kind: 'live', targets: [instance?.address] });
  expect(routeOf(appId)?.hosts).toHaveLength(1);
});

it('does nothing in later passes', async () => {
  const { clock, store, actionsOn, appId } = await deployed();
  const statuses = store.statusesOf(appId);
  const actions = actionsOn(appId);
  await clock.advance(3_600_000);
  expect(store.statusesOf(appId)).toEqual(statuses);
  expect(actionsOn(appId)).toEqual(actions);
});

it('starts the new release beside the old one, switches the traffic, drains, and stops the old one', async () => {
  const { store, routes, runningOf, actionsOn, settle, routeOf, appId } = await deployed();
  const [old] = await runningOf(appId);
  store.editApp(appId, next);
  await settle();
  const [current, ...others] = await runningOf(appId);
  expect(others).toEqual([]);
  expect(current).toMatchObject({ release: 2 });
  expect(routeOf(appId)?.route).toEqual({ kind: 'live', targets: [current?.address] });
  expect(routes().drainedTargets).toEqual([old?.address]);
  expect(actionsOn(appId).slice(3)).toEqual([
    'build 2',
    'startInstance 2',
    'waitUntilListening 2',
    'stopInstance 1',
  ]);
  expect(store.statusOf(appId)).toMatchObject({ status: 'synced', observedGeneration: 2 });
});

it.each([
  ['a new name', { name: 'harbour' }],
  ['another project', { projectId: 'elsewhere' }],
])('starts the same release again with %s, beside the one that serves', async (_, change) => {
  const { store, routes, runningOf, actionsOn, settle, routeOf, appId } = await deployed();
  const [old] = await runningOf(appId);
  store.editApp(appId, change);
  await settle();
  const [current, ...others] = await runningOf(appId);
  expect(others).toEqual([]);
  expect(current).toMatchObject({ release: 1, networkAlias: change });
  expect(routeOf(appId)?.route).toEqual({ kind: 'live', targets: [current?.address] });
  expect(routes().drainedTargets).toEqual([old?.address]);
  expect(actionsOn(appId).slice(3)).toEqual([
    'startInstance 1',
    'waitUntilListening 1',
    'stopInstance 1',
  ]);
  expect(store.statusOf(appId)).toMatchObject({ status: 'synced', observedGeneration: 2 });
});

it('keeps the instance with the old name while the one with the new name crashes', async () => {
  const { store, engine, clock, runningOf, settle, routeOf, appId } = await deployed();
  const [old] = await runningOf(appId);
  engine.setBehaviour(appId, { exitsAfterStart: { code: 1, signal: undefined } });
  store.editApp(appId, { name: 'harbour' });
  await settle();
  expect(store.statusOf(appId)).toMatchObject({ status: 'backoff' });
  expect(routeOf(appId)?.route).toEqual({ kind: 'live', targets: [old?.address] });
  engine.setBehaviour(appId, {});
  await clock.advance(60_000);
  const [current, ...others] = await runningOf(appId);
  expect(others).toEqual([]);
  expect(current).toMatchObject({ networkAlias: { name: 'harbour' } });
  expect(store.statusOf(appId)).toMatchObject({ status: 'synced' });
});

it.each([
  ['fails to build', { build: new EngineFailure('build-failed', ['exit code 1']) }],
  ['never answers', { waitUntilListening: new EngineFailure('port-never-answered') }],
  ['exits', { exitsAfterStart: { code: 3, signal: undefined } }],
])('keeps the old release serving while the new one %s', async (_, behaviour) => {
  const { store, engine, runningOf, routeOf, settle, clock, appId } = await deployed();
  const [old] = await runningOf(appId);
  engine.setBehaviour(appId, behaviour);
  store.editApp(appId, next);
  await settle();
  await clock.advance(600_000);
  expect(store.statusOf(appId)).toMatchObject({ status: 'backoff', observedGeneration: 2 });
  expect(routeOf(appId)?.route).toEqual({ kind: 'live', targets: [old?.address] });
  expect(await runningOf(appId)).toEqual([old]);
});

it('retries a failed release after any edit', async () => {
  const { store, engine, settle, appId } = await deployed();
  engine.setBehaviour(appId, { build: new EngineFailure('build-failed') });
  store.editApp(appId, next);
  await settle();
  engine.setBehaviour(appId, {});
  store.editApp(appId, { name: 'renamed' });
  await settle();
  expect(store.statusOf(appId)).toMatchObject({ status: 'synced', observedGeneration: 3 });
  expect(store.releasesOf(appId).map(({ outcome }) => outcome)).toEqual(['live', 'failed', 'live']);
});

it('hibernates and wakes without another build', async () => {
  const { store, runningOf, routeOf, actionsOn, settle, appId } = await deployed();
  store.editApp(appId, { instances: 0 });
  await settle();
  expect(await runningOf(appId)).toEqual([]);
  expect(routeOf(appId)?.route).toEqual({ kind: 'hibernated', wakesOnRequest: false });
  expect(store.statusOf(appId)).toMatchObject({ status: 'synced', observedGeneration: 2 });
  store.editApp(appId, { instances: 1 });
  await settle();
  expect(await runningOf(appId)).toHaveLength(1);
  expect(routeOf(appId)?.route.kind).toBe('live');
  expect(actionsOn(appId)).toEqual([
    'build 1',
    'startInstance 1',
    'waitUntilListening 1',
    'stopInstance 1',
    'startInstance 1',
    'waitUntilListening 1',
  ]);
  expect(store.releasesOf(appId)).toHaveLength(1);
});

it('removes everything of a deleted app', async () => {
  const { store, engine, logs, observe, routes, routeOf, runningOf, settle, clock, appId } =
    await deployed();
  logs.set(appId, ['a line']);
  const timers = clock.pending();
  const [instance] = await runningOf(appId);
  store.deleteApp(appId);
  await settle();
  expect(routes().drainedTargets).toEqual([instance?.address]);
  expect(await observe(appId)).toEqual({ built: [], instances: [] });
  expect(await engine.listApps(new AbortController().signal)).toEqual([]);
  expect(routeOf(appId)).toBeUndefined();
  expect(logs.has(appId)).toBe(false);
  expect(clock.pending()).toBe(timers);
});

it('removes the hosts when public access is switched off, without a restart', async () => {
  const { store, routeOf, runningOf, actionsOn, settle, appId } = await deployed();
  const before = { running: await runningOf(appId), done: actionsOn(appId) };
  store.editApp(appId, { publicAccess: { ...publicAccess, enabled: false } });
  await settle();
  expect(routeOf(appId)?.hosts).toEqual([]);
  expect({ running: await runningOf(appId), done: actionsOn(appId) }).toEqual(before);
  expect(store.statusOf(appId)).toMatchObject({ status: 'synced', observedGeneration: 2 });
});

it('keeps the generated host while a custom domain is added, changed and removed', async () => {
  const { store, routeOf, actionsOn, settle, appId } = await deployed();
  const generated = routeOf(appId)?.hosts ?? [];
  const done = actionsOn(appId);
  for (const [domain, custom] of [
    ['shop.example.com', ['shop.example.com']],
    ['www.example.com', ['www.example.com']],
    ['auto', []],
  ] as const) {
    store.editApp(appId, { publicAccess: { ...publicAccess, domain } });
    await settle();
    expect(routeOf(appId)?.hosts).toEqual([...custom, ...generated]);
  }
  expect(actionsOn(appId)).toEqual(done);
});

it('gives up a domain that it no longer holds at once, also during a build', async () => {
  const { store, engine, routeOf, reconciler, settle, appId } = await deployed();
  const generated = routeOf(appId)?.hosts ?? [];
  store.editApp(appId, { publicAccess: { ...publicAccess, domain: 'shop.example.com' } });
  await settle();
  engine.setBehaviour(appId, { build: 'stalls' });
  store.editApp(appId, next);
  await settle();
  expect(store.statusOf(appId).message).toBe('Reconcile: building');
  expect(routeOf(appId)?.hosts).toEqual(['shop.example.com', ...generated]);
  store.row(appId).routedDomains = [];
  reconciler().requestPass(appId);
  await settle();
  expect(store.statusOf(appId).message).toBe('Reconcile: building');
  expect(routeOf(appId)?.hosts).toEqual(generated);
});

it('wakes an app with a custom domain by requests to its generated host too', async () => {
  const { store, routeOf, settle, appId } = await deployed();
  const [generated] = routeOf(appId)?.hosts ?? [];
  store.editApp(appId, {
    publicAccess: { ...publicAccess, domain: 'shop.example.com' },
    sleep: { afterMinutes: 5 },
    instances: 0,
  });
  await settle();
  expect(routeOf(appId)).toEqual({
    hosts: ['shop.example.com', generated],
    route: { kind: 'hibernated', wakesOnRequest: true },
  });
});
