import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type DeployHarness, fromGit, startDeployHarness } from '../../../test/deploy-harness.ts';
import {
  createEngineBench,
  type EngineBench,
  nodeApp,
} from '../../../test/engines/process/engine-bench.ts';
import { createMemoryStore, type MemoryStore } from '../../../test/reconciler/memory-store.ts';
import type { Instance } from '../engine.ts';
import type { ProcessEngine } from './engine.ts';

/** A server that loses its isolation, for example because it is no longer started as root, while an account has an app. */
const REFUSAL = ['Longshore does not run as root.'];
const { signal } = new AbortController();

let bench: EngineBench;
let engine: ProcessEngine;
let harness: DeployHarness;
let store: MemoryStore;

beforeAll(async () => {
  bench = await createEngineBench();
});
afterEach(() => harness.stop());
afterAll(() => bench.clear());

it('declares what the isolation of a server without root lacks', async () => {
  await start({});
  expect(engine.isolation).toEqual({ kind: 'not-isolated', missing: REFUSAL, packages: [] });
});

it('refuses a first and a new release with owner-not-allowed, and the previous release keeps serving', async () => {
  await start({});
  const appId = await deployed();
  const [before] = await running(appId);
  await restart({ refusal: REFUSAL });
  const first = harness.deploy(fromGit(await bench.repository(nodeApp())));
  expect(await harness.waitForFailure(first, 'owner-not-allowed')).toEqual(REFUSAL);
  store.editApp(appId, { env: { COLOUR: 'blue' } });
  expect(await harness.waitForFailure(appId, 'owner-not-allowed')).toEqual(REFUSAL);
  expect(await running(appId)).toEqual([before]);
  expect(store.observedOf(appId).serving).toMatchObject({ release: 1 });
});

it('adopts a running app, restarts it after a crash, hibernates and deletes it', async () => {
  await start({});
  const appId = await deployed();
  const [before] = await running(appId);
  await restart({ refusal: REFUSAL });
  await expect.poll(() => store.observedOf(appId).serving).toMatchObject({ release: 1 });
  expect(await running(appId)).toEqual([before]);

  await fetch(`http://127.0.0.1:${before?.address.port}/exit`).catch(() => {});
  await expect
    .poll(async () => (await running(appId)).map(({ id }) => id))
    .toEqual([expect.not.stringMatching(`^${before?.id}$`)]);
  await harness.waitUntilSynced(appId);

  store.editApp(appId, { instances: 0 });
  await expect.poll(() => running(appId)).toEqual([]);
  store.deleteApp(appId);
  await expect.poll(() => engine.listApps(signal)).not.toContain(appId);
});

async function start({ refusal }: { refusal?: string[] }): Promise<void> {
  store = createMemoryStore({ clock: Date, newId: () => crypto.randomUUID() });
  await open({ refusal });
}

/** The next server, on the same store and data directory. */
async function restart({ refusal }: { refusal?: string[] }): Promise<void> {
  await harness.stop();
  await engine.close();
  await open({ refusal });
}

async function open({ refusal }: { refusal: string[] | undefined }): Promise<void> {
  engine = await bench.engine({ isRoot: false });
  harness = await startDeployHarness(engine, () => [], { store, refusal });
}

async function deployed(): Promise<string> {
  const files = nodeApp();
  files['server.js'] = `require('node:http').createServer((request, response) => {
    if (request.url === '/exit') process.exit(1);
    response.end();
  }).listen(process.env.PORT);`;
  const appId = harness.deploy(fromGit(await bench.repository(files)));
  await harness.waitUntilSynced(appId);
  return appId;
}

async function running(appId: string): Promise<Instance[]> {
  const { instances } = await engine.observe(appId, signal);
  return instances.filter(({ state }) => state.kind === 'running');
}
