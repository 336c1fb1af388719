import type { RequestListener } from 'node:http';
import { eventually, startSteadyLoad } from '@longshore/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { createIngress } from '../src/ingress/ingress.ts';
import { createReconciler } from '../src/reconciler/reconciler.ts';
import { systemClock } from '../src/schedule/clock.ts';
import { NO_OWNER_LIMITS } from './no-limits.ts';
import { createMemoryStore } from './reconciler/memory-store.ts';
import { createServingEngine } from './serving-engine.ts';

const DEPLOYMENTS = 100;
const REQUESTS_PER_SECOND = 200;
/** Each release serves this many requests before the next deployment. */
const MIN_REQUESTS = 5;
const SLOW_MS = 30;
const DOMAIN = 'shop.example.com';

/** The real reconciler and ingress; instances are HTTP servers in this process. */
async function startEnvironment() {
  const clock = systemClock;
  const store = createMemoryStore({ clock });
  const engine = createServingEngine(clock, respondWithRelease);
  const errors: unknown[] = [];
  const logError = (error: unknown) => void errors.push(error);
  const unexpected = () => Promise.reject(new Error('No app sleeps in this test'));
  const ingress = createIngress({
    host: '127.0.0.1',
    port: 0,
    trustedProxies: [],
    clock,
    wake: unexpected,
    hibernate: unexpected,
    logError,
  });
  const reconciler = createReconciler({
    store,
    engine,
    routes: { ...ingress.routes, drained: ingress.drained },
    listen: store.listen,
    lastLines: async () => [],
    deleteLogs: async () => {},
    baseDomain: 'localhost',
    refusalOf: async () => undefined,
    maxBuilds: 1,
    ownerLimits: NO_OWNER_LIMITS,
    clock,
    logError,
  });
  const { port } = await ingress.listen();
  await reconciler.start();
  onTestFinished(async () => {
    await reconciler.stop();
    await ingress.stop(0);
    engine.close();
  });
  return { store, port, errors };
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
