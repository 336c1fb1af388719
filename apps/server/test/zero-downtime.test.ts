import type { RequestListener } from 'node:http';
import { eventually } from '@longshore/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { createIngress } from '../src/ingress/ingress.ts';
import { createReconciler } from '../src/reconciler/reconciler.ts';
import { systemClock } from '../src/schedule/clock.ts';
import { createMemoryStore } from './reconciler/memory-store.ts';
import { createServingEngine } from './serving-engine.ts';
import { startSteadyLoad } from './steady-load.ts';

const DEPLOYMENTS = 100;
const REQUESTS_PER_SECOND = 200;
/** Each release is really in use before the next one comes. */
const USES_EACH = 5;
const SLOW_MS = 30;
const DOMAIN = 'shop.example.com';

/** The reconciler and the ingress as they are; instances are servers in this process. */
async function startWorld() {
  const clock = systemClock;
  const store = createMemoryStore({ clock });
  const engine = createServingEngine(clock, answering);
  const errors: unknown[] = [];
  const logError = (error: unknown) => void errors.push(error);
  const never = () => Promise.reject(new Error('Nothing sleeps here'));
  const ingress = createIngress({
    ...{ host: '127.0.0.1', port: 0, trustedProxies: [], clock, logError },
    ...{ wake: never, sleep: never },
  });
  const reconciler = createReconciler({
    ...{ store, engine, clock, logError, maxBuilds: 1, baseDomain: 'localhost' },
    routes: { ...ingress.routes, drained: ingress.drained },
    listen: store.listen,
    lastLines: async () => [],
    deleteLogs: async () => {},
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

/** Reads what it is sent and says which release it is; each third answer takes its time. */
function answering(release: number): RequestListener {
  let count = 0;
  return (incoming, response) => {
    const delayMs = ++count % 3 === 0 ? SLOW_MS : 0;
    incoming
      .resume()
      .on('end', () => setTimeout(() => response.end(`release ${release}`), delayMs));
  };
}

it(`loses no request of ${REQUESTS_PER_SECOND} a second in ${DEPLOYMENTS} deployments`, async () => {
  const { store, port, errors } = await startWorld();
  const publicAccess = { enabled: true, domain: DOMAIN, baseDomain: '' };
  const appId = store.addApp({ publicAccess });
  const isLive = () => store.statusOf(appId).status === 'synced';
  await eventually(isLive, 'the first release');

  const load = startSteadyLoad({ port, host: DOMAIN, perSecond: REQUESTS_PER_SECOND });
  const uses = (release: number) => load.answers.get(`200 release ${release}`) ?? 0;
  await eventually(() => uses(1) >= USES_EACH, 'visitors of the first release');
  for (let count = 1; count <= DEPLOYMENTS; count += 1) {
    store.editApp(appId, { env: { DEPLOYMENT: String(count) } });
    await eventually(isLive, `deployment ${count}`);
    await eventually(() => uses(count + 1) >= USES_EACH, `visitors of deployment ${count}`);
  }
  await load.stop();

  const failed = [...load.answers].filter(([answer]) => !/^200 release \d+$/.test(answer));
  expect(failed).toEqual([]);
  expect(load.answers.size).toBe(DEPLOYMENTS + 1);
  expect(store.releasesOf(appId).map(({ outcome }) => outcome)).toEqual(
    Array(DEPLOYMENTS + 1).fill('live'),
  );
  expect(errors).toEqual([]);
}, 180_000);
