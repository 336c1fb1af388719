import { buildAppValues } from '@longshore/testkit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NO_OWNER_LIMITS } from '../../test/no-limits.ts';
import { startReconcilerHarness } from '../../test/reconciler/reconciler-harness.ts';
import type { Engine } from '../engines/engine.ts';
import { EngineFailure } from '../engines/failure.ts';
import { FAILURE_MESSAGES } from '../engines/failure-messages.ts';
import type { OwnerLimits } from './pass-context.ts';

const { source } = buildAppValues();
const next = { source: { ...source, ref: 'next' } };
const worker = (replicas: number) => ({
  processes: { worker: { command: 'node worker.js', replicas } },
});

type Options = Parameters<typeof startReconcilerHarness>[0];

async function deployed(replicas = 1, options: Options = {}) {
  const harness = await startReconcilerHarness(options);
  const appId = harness.store.addApp(worker(replicas));
  await harness.settle();
  /** Such as `2: worker`. */
  const processesOf = async () =>
    (await harness.runningOf(appId)).map(
      ({ release, process = 'web' }) => `${release}: ${process}`,
    );
  return { ...harness, appId, processesOf };
}

it('runs processes that get no traffic, and publishes their state', async () => {
  const { store, appId, routeOf, processesOf } = await deployed(2);
  expect(await processesOf()).toEqual(['1: web', '1: worker', '1: worker']);
  expect(routeOf(appId)?.route).toMatchObject({ kind: 'live', targets: [{ port: 30_001 }] });
  expect(store.observedOf(appId).serving?.processes).toMatchObject([
    {
      name: 'worker',
      replicas: 2,
      logNames: [expect.stringMatching(/worker\.2$/), expect.stringMatching(/worker\.3$/)],
    },
  ]);
  expect(store.statusOf(appId)).toMatchObject({ status: 'synced' });
});

it('changes the number of instances without a release', async () => {
  const { store, appId, settle, processesOf } = await deployed(1);
  store.editApp(appId, worker(3));
  await settle();
  expect(await processesOf()).toEqual(['1: web', '1: worker', '1: worker', '1: worker']);
  store.editApp(appId, worker(0));
  await settle();
  expect(await processesOf()).toEqual(['1: web']);
  expect(store.releasesOf(appId)).toHaveLength(1);
  expect(store.statusOf(appId)).toMatchObject({ status: 'synced', observedGeneration: 3 });
});

it('stops the processes of the old release when the new one serves', async () => {
  const { store, appId, engine, settle, processesOf } = await deployed(1);
  engine.setBehaviour(appId, { build: 'stalls' });
  store.editApp(appId, next);
  await settle();
  expect(await processesOf()).toEqual(['1: web', '1: worker']);
  engine.setBehaviour(appId, {});
  store.editApp(appId, { ...next, env: { COLOUR: 'red' } });
  await settle();
  expect(await processesOf()).toEqual(['3: web', '3: worker']);
});

it('restarts one that crashed alone with growing pauses, and says so with process-crashed', async () => {
  const { store, appId, engine, clock, routeOf, settle, processesOf } = await deployed(1);
  const [, first] = (await engine.observe(appId, new AbortController().signal)).instances;
  engine.exitInstance(appId, first?.id ?? '');
  await settle();
  const { whatHappened } = FAILURE_MESSAGES['process-crashed'];
  expect(store.statusOf(appId)).toMatchObject({
    status: 'backoff',
    message: expect.stringContaining(whatHappened),
  });
  expect(store.statusOf(appId).message).toContain('Process: worker.');
  expect(routeOf(appId)?.route.kind).toBe('live');
  expect(await processesOf()).toEqual(['1: web']);
  await clock.advance(1_000);
  await settle();
  expect(await processesOf()).toEqual(['1: web', '1: worker']);
  expect(store.statusOf(appId).status).toBe('backoff');
  await clock.advance(10_000);
  await settle();
  expect(store.statusOf(appId).status).toBe('synced');
});

it('keeps web running while another process crashes again and again', async () => {
  const harness = await startReconcilerHarness();
  const appId = harness.store.addApp({ ...worker(1) });
  harness.engine.setBehaviour(appId, { exitingProcess: 'worker' });
  await harness.settle();
  await harness.clock.advance(60_000);
  await harness.settle();
  const starts = harness.actionsOn(appId).filter((action) => action === 'startInstance 1').length;
  // One web, and workers after 0, 1, 3, 7, 15 and 31 seconds.
  expect(starts).toBe(7);
  expect(harness.routeOf(appId)?.route.kind).toBe('live');
  expect(harness.store.statusOf(appId)).toMatchObject({ status: 'backoff' });
});

it('is settled as soon as a new release has fixed a process that crashed again and again', async () => {
  const isBuilt = Promise.withResolvers<void>();
  const wrapEngine = (engine: Engine): Engine => ({
    ...engine,
    async build(spec, progress, signal) {
      if (spec.number > 1) await isBuilt.promise;
      return await engine.build(spec, progress, signal);
    },
  });
  const { store, appId, engine, clock, settle, processesOf } = await deployed(1, { wrapEngine });
  store.editApp(appId, next);
  await settle();
  engine.setBehaviour(appId, { exitingProcess: 'worker' });
  engine.exitInstance(appId, '2');
  await clock.advance(120_000);
  engine.setBehaviour(appId, {});
  isBuilt.resolve();
  await settle();
  expect(await processesOf()).toEqual(['2: web', '2: worker']);
  expect(store.statusOf(appId).status).toBe('synced');
});

it('stops all when the app hibernates, and starts all when it wakes', async () => {
  const { store, appId, settle, processesOf } = await deployed(1);
  store.editApp(appId, { instances: 0 });
  await settle();
  expect(await processesOf()).toEqual([]);
  store.editApp(appId, { instances: 1 });
  await settle();
  expect(await processesOf()).toEqual(['1: web', '1: worker']);
});

it('replaces all when the app is restarted', async () => {
  const { store, appId, settle, runningOf } = await deployed(1);
  store.restartApp(appId);
  await settle();
  const running = await runningOf(appId);
  expect(running.map(({ process }) => process).sort()).toEqual(['worker', undefined]);
  expect(running.every(({ id }) => Number(id) > 2)).toBe(true);
});

it('adopts processes after a restart of the server', async () => {
  const { appId, restart, runningOf, store } = await deployed(2);
  const before = await runningOf(appId);
  await restart();
  expect(await runningOf(appId)).toEqual(before);
  expect(store.statusOf(appId)).toMatchObject({ status: 'synced' });
});

it('starts nothing over the quota of the owner, and reports process-over-quota', async () => {
  const ownerLimits = { ...NO_OWNER_LIMITS, processProblemOf: async () => 'Memory limit reached' };
  const { store, appId, processesOf } = await deployed(1, { ownerLimits });
  expect(await processesOf()).toEqual(['1: web']);
  const { whatHappened } = FAILURE_MESSAGES['process-over-quota'];
  expect(store.statusOf(appId)).toMatchObject({
    status: 'backoff',
    message: expect.stringContaining(whatHappened),
  });
});

it('counts as recovered 10 seconds after a restart was requested', async () => {
  const { store, appId, engine, clock, settle } = await deployed(1);
  engine.setBehaviour(appId, { exitingProcess: 'worker' });
  engine.exitInstance(appId, '2');
  await clock.advance(600_000);
  engine.setBehaviour(appId, {});
  store.requestRetry(appId);
  await settle();
  expect(store.statusOf(appId).status).toBe('backoff');
  await clock.advance(10_000);
  expect(store.statusOf(appId).status).toBe('synced');
});

it('reports a process that crashes after a cancelled release', async () => {
  const { store, appId, engine, clock, settle } = await deployed(1);
  engine.setBehaviour(appId, { build: 'stalls' });
  store.editApp(appId, next);
  await settle();
  store.cancelBuild(appId);
  await settle();
  engine.exitInstance(appId, '2');
  await settle();
  expect(store.statusOf(appId)).toMatchObject({
    status: 'backoff',
    message: expect.stringContaining('Process: worker.'),
  });
  await clock.advance(11_000);
  expect(store.statusOf(appId).status).toBe('synced');
});

it('confirms a process again after a failure of the engine', async () => {
  let confirmed = 0;
  const wrapEngine = (engine: Engine): Engine => ({
    ...engine,
    async waitUntilListening(instance, spec, signal) {
      if (spec.process !== undefined) {
        confirmed += 1;
        if (confirmed === 1) throw new EngineFailure('engine-down');
      }
      return await engine.waitUntilListening(instance, spec, signal);
    },
  });
  const { store, appId, clock } = await deployed(1, { wrapEngine });
  expect(confirmed).toBe(1);
  expect(store.statusOf(appId).status).toBe('backoff');
  await clock.advance(1_000);
  expect(confirmed).toBe(2);
  expect(store.statusOf(appId).status).toBe('synced');
});

it('reports to the limits of the owner what runs, also after a restart of the server', async () => {
  const recorded: string[] = [];
  const ownerLimits: OwnerLimits = {
    ...NO_OWNER_LIMITS,
    recordProcesses: (app) => void recorded.push(app.appId),
  };
  const { appId, restart } = await deployed(1, { ownerLimits });
  expect(recorded).toEqual([appId]);
  await restart();
  expect(recorded).toEqual([appId, appId]);
});

it('does not let an app with other processes sleep', async () => {
  const { store, appId, settle, routeOf } = await deployed(1);
  store.editApp(appId, { sleep: { afterMinutes: 5 } });
  await settle();
  expect(routeOf(appId)?.route).toMatchObject({ kind: 'live', sleepAfterMs: undefined });
  store.editApp(appId, worker(0));
  await settle();
  expect(routeOf(appId)?.route).toMatchObject({ kind: 'live', sleepAfterMs: 300_000 });
});

it('wakes an app with other processes that is asleep on a request', async () => {
  const { store, appId, settle, routeOf } = await deployed(1);
  store.editApp(appId, { sleep: { afterMinutes: 5 }, instances: 0 });
  await settle();
  expect(routeOf(appId)?.route).toMatchObject({ kind: 'hibernated', wakesOnRequest: true });
});

type Operation = { kind: (typeof OPERATIONS)[number]; number: number };

const OPERATIONS = [
  'scale',
  'crash',
  'deploy',
  'hibernate',
  'wake',
  'restart the app',
  'restart the server',
  'fail to stop',
  'wait',
] as const;

it('ends with the desired instances after any sequence of changes and failures', async () => {
  const operation = fc.record({
    kind: fc.constantFrom(...OPERATIONS),
    number: fc.nat({ max: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 25 }), async (operations) => {
      const harness = await deployed(1);
      const { store, engine, appId, clock, settle, processesOf } = harness;
      for (const each of operations) await apply(each, harness);
      engine.setBehaviour(appId, {});
      store.editApp(appId, { instances: 1, ...worker(3) });
      await settle();
      await clock.advance(900_000);
      await settle();
      const number = store.releasesOf(appId).at(-1)?.number;
      const running = (await processesOf()).sort();
      expect(running).toEqual(
        ['web', 'worker', 'worker', 'worker'].map((it) => `${number}: ${it}`),
      );
      expect(store.statusOf(appId)).toMatchObject({ status: 'synced' });
      await harness.reconciler().stop();
    }),
    { numRuns: 60 },
  );
});

async function apply(
  { kind, number }: Operation,
  { store, engine, appId, clock, settle, restart, runningOf }: Awaited<ReturnType<typeof deployed>>,
): Promise<void> {
  switch (kind) {
    case 'scale':
      store.editApp(appId, worker(number));
      break;
    case 'crash': {
      const running = await runningOf(appId).catch(() => []);
      const found = running[number % Math.max(1, running.length)];
      if (found !== undefined) engine.exitInstance(appId, found.id);
      break;
    }
    case 'deploy':
      store.editApp(appId, { source: { ...source, ref: `ref-${number}` } });
      break;
    case 'hibernate':
      store.editApp(appId, { instances: 0 });
      break;
    case 'wake':
      store.editApp(appId, { instances: 1 });
      break;
    case 'restart the app':
      store.restartApp(appId);
      break;
    case 'restart the server':
      await restart();
      break;
    case 'fail to stop':
      engine.setBehaviour(
        appId,
        number < 3 ? { stopInstance: new EngineFailure('engine-failed', []) } : {},
      );
      break;
    case 'wait':
      await clock.advance(number * 1_000);
  }
  await settle();
}
