import type { RequestListener } from 'node:http';
import { systemClock } from '@longshore/edge-contract';
import { eventually, startSteadyLoad } from '@longshore/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { createEdgeRoutes } from '../src/edge/edge-routes.ts';
import { probe } from '../src/reconciler/health/probe.ts';
import { createReconciler } from '../src/reconciler/reconciler.ts';
import { createInProcessEdge } from './edge/in-process-edge.ts';
import { NO_OWNER_LIMITS } from './no-limits.ts';
import { createMemoryStore } from './reconciler/memory-store.ts';
import { createServingEngine } from './serving-engine.ts';
import { TIERS } from './tiers.ts';

const DEPLOYMENTS = 100;
const RESTARTS = 10;
const REQUESTS_PER_SECOND = 200;
/** Each release serves this many requests before the next deployment. */
const MIN_REQUESTS = 5;
const SLOW_MS = 30;
const SCALINGS = 20;
const KILLS = 10;
const KILL_MS = 1_000;
const DOMAIN = 'shop.example.com';

/** The real reconciler and ingress; instances are HTTP servers in this process. */
async function startEnvironment() {
  const clock = systemClock;
  const store = createMemoryStore({ clock });
  const engine = createServingEngine(clock, respondWithRelease);
  const errors: unknown[] = [];
  const logError = (error: unknown) => void errors.push(error);
  const edge = createInProcessEdge({
    host: '127.0.0.1',
    port: 0,
    isTrustedProxy: undefined,
    clock,
    logError,
  });
  const reconciler = createReconciler({
    store,
    engine,
    routes: createEdgeRoutes(edge, clock),
    listen: store.listen,
    probe,
    lastLines: async () => [],
    deleteStored: async () => {},
    baseDomain: 'localhost',
    refusalOf: async () => undefined,
    maxBuilds: 1,
    ownerLimits: NO_OWNER_LIMITS,
    tiers: TIERS,
    clock,
    logError,
  });
  await edge.listen();
  const [listener] = edge.listeners();
  await reconciler.start();
  onTestFinished(async () => {
    await reconciler.stop();
    await edge.stop();
    engine.close();
  });
  return { store, engine, port: listener?.port ?? 0, errors };
}

/** Responds with the number of its release; each third response is delayed. */
function respondWithRelease(release: number): RequestListener {
  let count = 0;
  return (incoming, response) => {
    const delayMs = ++count % 3 === 0 ? SLOW_MS : 0;
    incoming
      .resume()
      .on('end', () => setTimeout(() => response.end(`release ${release}`), delayMs));
  };
}

it(`loses no request at ${REQUESTS_PER_SECOND} requests per second during ${DEPLOYMENTS} deployments`, async () => {
  const { store, port, errors } = await startEnvironment();
  const publicAccess = { enabled: true, domain: DOMAIN, baseDomain: '' };
  const appId = store.addApp({ publicAccess });
  const isLive = () => store.statusOf(appId).status === 'synced';
  await eventually(isLive, 'the first release');

  const load = startSteadyLoad({ port, host: DOMAIN, perSecond: REQUESTS_PER_SECOND });
  const requestsTo = (release: number) => load.results.get(`200 release ${release}`) ?? 0;
  await eventually(() => requestsTo(1) >= MIN_REQUESTS, 'requests to the first release');
  for (let count = 1; count <= DEPLOYMENTS; count += 1) {
    store.editApp(appId, { env: { DEPLOYMENT: String(count) } });
    await eventually(isLive, `deployment ${count}`);
    await eventually(
      () => requestsTo(count + 1) >= MIN_REQUESTS,
      `requests to deployment ${count}`,
    );
  }
  await load.stop();

  const failed = [...load.results].filter(([result]) => !/^200 release \d+$/.test(result));
  expect(failed).toEqual([]);
  expect(load.results.size).toBe(DEPLOYMENTS + 1);
  expect(store.releasesOf(appId).map(({ outcome }) => outcome)).toEqual(
    Array(DEPLOYMENTS + 1).fill('live'),
  );
  expect(errors).toEqual([]);
}, 180_000);

it(`loses no request during ${RESTARTS} restarts of one release`, async () => {
  const { store, port, errors } = await startEnvironment();
  const publicAccess = { enabled: true, domain: DOMAIN, baseDomain: '' };
  const appId = store.addApp({ publicAccess });
  const isLive = () => store.statusOf(appId).status === 'synced';
  await eventually(isLive, 'the first release');
  const load = startSteadyLoad({ port, host: DOMAIN, perSecond: REQUESTS_PER_SECOND });
  const instances = new Set<string | undefined>();
  for (let count = 1; count <= RESTARTS; count += 1) {
    instances.add(store.observedOf(appId).serving?.logName);
    store.restartApp(appId);
    await eventually(isLive, `restart ${count}`);
    const served = load.results.get('200 release 1') ?? 0;
    const isServing = () => (load.results.get('200 release 1') ?? 0) >= served + MIN_REQUESTS;
    await eventually(isServing, `requests after restart ${count}`);
  }
  await load.stop();
  expect([...load.results.keys()]).toEqual(['200 release 1']);
  expect(instances.size).toBe(RESTARTS);
  expect(store.releasesOf(appId)).toHaveLength(1);
  expect(errors).toEqual([]);
});

it(`loses no request while it is scaled ${SCALINGS} times`, async () => {
  const { store, port, errors } = await startEnvironment();
  const publicAccess = { enabled: true, domain: DOMAIN, baseDomain: '' };
  const appId = store.addApp({ publicAccess });
  const isLive = () => store.statusOf(appId).status === 'synced';
  await eventually(isLive, 'the first release');
  const load = startSteadyLoad({ port, host: DOMAIN, perSecond: REQUESTS_PER_SECOND });
  for (let count = 1; count <= SCALINGS; count += 1) {
    const replicas = [10, 3, 5, 1][count % 4] ?? 1;
    store.editApp(appId, { replicas });
    const isScaled = () =>
      isLive() && (store.observedOf(appId).serving?.logNames?.length ?? 1) === replicas;
    await eventually(isScaled, `${replicas} instances`);
    const served = load.results.get('200 release 1') ?? 0;
    const isServing = () => (load.results.get('200 release 1') ?? 0) >= served + MIN_REQUESTS;
    await eventually(isServing, `requests to ${replicas} instances`);
  }
  await load.stop();
  expect([...load.results.keys()]).toEqual(['200 release 1']);
  expect(store.releasesOf(appId)).toHaveLength(1);
  expect(errors).toEqual([]);
}, 60_000);

it(`loses no GET or HEAD while one of three instances is killed every second, ${KILLS} times`, async () => {
  const { store, engine, port, errors } = await startEnvironment();
  const publicAccess = { enabled: true, domain: DOMAIN, baseDomain: '' };
  const appId = store.addApp({ publicAccess, replicas: 3 });
  const { signal } = new AbortController();
  const serving = () => store.observedOf(appId).serving?.logNames ?? [];
  await eventually(() => serving().length === 3, 'three instances');
  const methods = ['GET', 'HEAD', 'GET'];
  const load = startSteadyLoad({ port, host: DOMAIN, perSecond: REQUESTS_PER_SECOND, methods });
  const others = startSteadyLoad({ port, host: DOMAIN, perSecond: 50, methods: ['POST'] });
  for (let count = 0; count < KILLS; count += 1) {
    const { instances } = await engine.observe(appId, signal);
    const running = instances.filter(({ state }) => state.kind === 'running');
    const killed = running[count % running.length];
    if (killed === undefined) throw new Error('No instance runs');
    engine.crash(appId, killed);
    await eventually(() => !serving().includes(killed.logName), 'the killed one to leave');
    await new Promise((resolve) => setTimeout(resolve, KILL_MS));
  }
  await eventually(() => serving().length === 3, 'three instances again');
  await Promise.all([load.stop(), others.stop()]);
  // HEAD has no body.
  expect([...load.results.keys()].sort()).toEqual(['200 ', '200 release 1']);
  const lost = [...others.results].filter(([result]) => result !== '200 release 1');
  expect(lost.every(([result]) => result.startsWith('502 '))).toBe(true);
  expect(store.releasesOf(appId)).toHaveLength(1);
  expect(store.statusesOf(appId)).not.toContainEqual(
    expect.objectContaining({ status: 'backoff' }),
  );
  expect(errors).toEqual([]);
}, 60_000);
