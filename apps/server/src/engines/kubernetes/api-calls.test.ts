import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monotonicClock } from '@longshore/edge-contract';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFakeLogSink } from '../../../test/engines/fake-log-sink.ts';
import { createFakeCluster } from '../../../test/engines/kubernetes/fake-cluster.ts';
import { OWNER, SPEC } from '../../../test/engines/kubernetes/release-fixture.ts';
import { createDiskRecords } from '../disk-records.ts';
import { noSourceCredentials } from '../source-credentials.ts';
import { DEFAULT_LIMITS, type KubernetesDeps } from './deps.ts';
import { createKubernetesEngine, type KubernetesEngine } from './engine.ts';
import { ensureNamespace } from './namespaces.ts';
import { LABELS } from './ownership.ts';
import { recordBuilt } from './releases.ts';

const { signal } = new AbortController();
const BUILD = { revision: 'digest', inputs: { arguments: [], startCommand: false } };
const BUILT = { image: 'shop@digest', exposedPorts: [8080], build: BUILD };

let dataDir: string;
let cluster: ReturnType<typeof createFakeCluster>;
const engines: KubernetesEngine[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'longshore-calls-'));
  cluster = createFakeCluster();
});
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
  await rm(dataDir, { recursive: true });
});

function depsOf(): KubernetesDeps {
  return {
    api: cluster.api,
    owner: OWNER,
    dataDir,
    records: createDiskRecords(dataDir),
    logs: createFakeLogSink(() => {}),
    limits: DEFAULT_LIMITS,
    clock: monotonicClock,
    credentials: noSourceCredentials,
    registries: {},
    network: () => ({
      allowedNetworks: [],
      gateway: { kind: 'addresses', addresses: [], ports: [] },
    }),
    builders: { close: async () => {} },
    logError() {},
  } as unknown as KubernetesDeps;
}

/** Long after its start, so that logs are opened at once. */
function startEngine(): KubernetesEngine {
  let now = 0;
  const engine = createKubernetesEngine({
    ...depsOf(),
    clock: { ...monotonicClock, now: () => now },
  });
  now = 3_600_000;
  engines.push(engine);
  return engine;
}

const specOf = (app: number, project = 0) => ({
  ...SPEC,
  appId: `app-${app}`,
  projectId: `project-${project}`,
});

/** As the reconciler does it, with a release that is built already. */
async function deploy(engine: KubernetesEngine, spec = specOf(0)) {
  await ensureNamespace(spec, depsOf(), signal);
  await recordBuilt(spec, BUILT, depsOf(), signal);
  const instance = await engine.startInstance(spec, signal);
  return (await engine.waitUntilListening(instance, spec, signal)).instance;
}

/** Until the watch has reported what the server did. */
async function untilQuiet(engine: KubernetesEngine, appId = 'app-0'): Promise<void> {
  await expect
    .poll(async () => {
      cluster.takeRequests();
      await engine.observe(appId, signal);
      return cluster.takeRequests();
    })
    .toEqual([]);
}

it('observes an app that is settled without a request', async () => {
  const engine = startEngine();
  await deploy(engine);
  await untilQuiet(engine);
  const { built, instances } = await engine.observe('app-0', signal);
  expect(built).toEqual([SPEC.number]);
  expect(instances).toHaveLength(1);
  expect(cluster.takeRequests()).toEqual([]);
});

it('starts an instance with a bounded number of requests', async () => {
  const engine = startEngine();
  const spec = specOf(0);
  await deploy(engine, spec);
  await untilQuiet(engine);
  const next = { ...spec, number: spec.number + 1 };
  await engine.reuseBuild(next, spec.number, signal);
  const reused = cluster.takeRequests();
  const instance = await engine.startInstance(next, signal);
  const started = cluster.takeRequests();
  await engine.waitUntilListening(instance, next, signal);
  const listening = cluster.takeRequests();
  const [old] = (await engine.observe('app-0', signal)).instances;
  const observed = cluster.takeRequests();
  if (old !== undefined) await engine.stopInstance('app-0', old, signal);
  const stopped = cluster.takeRequests();
  const counts = [reused, started, listening, observed, stopped].map(({ length }) => length);
  expect(counts).toEqual([10, 18, 3, 2, 9]);
});

it('reads each project four times after a restart, however many apps it has', async () => {
  const [projects, apps] = [3, 8];
  const before = startEngine();
  const specs = Array.from({ length: projects * apps }, (_, app) => specOf(app, app % projects));
  for (const spec of specs) await deploy(before, spec);
  await before.close();
  cluster.takeRequests();
  const engine = startEngine();
  await Promise.all(
    specs.map(async (spec) => {
      const { instances } = await engine.observe(spec.appId, signal);
      const [instance] = instances;
      if (instance === undefined) throw new Error(`${spec.appId} has no instance`);
      await engine.waitUntilListening(instance, spec, signal);
      await engine.observe(spec.appId, signal);
    }),
  );
  await expect.poll(() => cluster.watched()).toHaveLength(projects + 1);
  expect(cluster.takeRequests()).toHaveLength(2 + projects * 4);
});

it('observes its own changes before the watch reports them', async () => {
  const engine = startEngine();
  const first = await deploy(engine);
  await untilQuiet(engine);
  const release = cluster.holdEvents();
  const second = await engine.startInstance(specOf(0), signal);
  const ids = async () => (await engine.observe('app-0', signal)).instances.map(({ id }) => id);
  expect(await ids()).toEqual([first.id, second.id]);
  await engine.stopInstance('app-0', first, signal);
  expect(await ids()).toEqual([second.id]);
  release();
  await untilQuiet(engine);
  expect(await ids()).toEqual([second.id]);
});

it('protects instances with their labels first and then the budget, and observes that at once', async () => {
  const engine = startEngine();
  const first = await deploy(engine);
  const second = await engine.startInstance(specOf(0), signal);
  await untilQuiet(engine);
  const release = cluster.holdEvents();
  await engine.protectInstances?.('app-0', [first, second], signal);
  const changes = cluster.takeRequests().filter((request) => request.startsWith('PATCH'));
  expect(changes.map((request) => /pods|poddisruptionbudgets/.exec(request)?.[0])).toEqual([
    ...['pods', 'pods', 'poddisruptionbudgets'],
  ]);
  const { instances } = await engine.observe('app-0', signal);
  expect(instances.map(({ isUnprotected }) => isUnprotected)).toEqual([undefined, undefined]);
  release();
});

it('keeps the budget of an earlier version until all running instances have their label', async () => {
  const engine = startEngine();
  const first = await deploy(engine);
  const second = await engine.startInstance(specOf(0), signal);
  const deployments = '/apis/apps/v1/namespaces/longshore-project-0/deployments';
  const { items } = await cluster.api.call<{ items: { metadata: { name: string } }[] }>(
    'GET',
    deployments,
    { signal },
  );
  const budgets = '/apis/policy/v1/namespaces/longshore-project-0/poddisruptionbudgets';
  const path = `${budgets}/${items[0]?.metadata.name}`;
  const isEarlier = async () => {
    const budget = await cluster.api.call('GET', path, { signal });
    return !JSON.stringify(budget).includes(LABELS.routed);
  };
  expect(await isEarlier()).toBe(false);
  cluster.remove(path);
  cluster.put(path, {});
  await engine.protectInstances?.('app-0', [first], signal);
  expect(await isEarlier()).toBe(true);
  const third = await engine.startInstance(specOf(0), signal);
  expect(await isEarlier()).toBe(true);
  await engine.protectInstances?.('app-0', [second, third], signal);
  expect(await isEarlier()).toBe(false);
});

it('fails if the cluster does not keep the label of a protected instance', async () => {
  const engine = startEngine();
  const first = await deploy(engine);
  const { call } = cluster.api;
  cluster.api.call = (method, path, request) =>
    call(method, path, method === 'PATCH' ? { ...request, body: { metadata: {} } } : request);
  await expect(engine.protectInstances?.('app-0', [first], signal)).rejects.toThrow(LABELS.routed);
});

it('observes nothing from a watch that has ended, and pods that were lost meanwhile after it', async () => {
  const engine = startEngine();
  await deploy(engine);
  await untilQuiet(engine);
  cluster.setDown(true);
  await expect
    .poll(() => engine.observe('app-0', signal).catch(({ reason }) => reason))
    .toBe('cluster-down');
  const path = '/api/v1/namespaces/longshore-project-0/pods';
  cluster.setDown(false);
  const { items } = await cluster.api.call<{ items: { metadata: { name: string } }[] }>(
    'GET',
    path,
    { signal },
  );
  for (const { metadata } of items) cluster.remove(`${path}/${metadata.name}`);
  expect((await engine.observe('app-0', signal)).instances).toEqual([]);
});

it('reads releases again after it has changed them', async () => {
  const engine = startEngine();
  const spec = specOf(0);
  await deploy(engine, spec);
  await untilQuiet(engine);
  await engine.reuseBuild({ ...spec, number: 9 }, spec.number, signal);
  expect((await engine.observe('app-0', signal)).built).toEqual([spec.number, 9]);
  await engine.reuseBuild({ ...spec, number: 10 }, spec.number, signal);
  expect((await engine.observe('app-0', signal)).built).toEqual([spec.number, 9, 10]);
  await engine.pruneReleases('app-0', [9], signal);
  expect((await engine.observe('app-0', signal)).built).toEqual([spec.number, 9]);
});
