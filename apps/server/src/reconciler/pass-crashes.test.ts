import { expect, it } from 'vitest';
import { NO_OWNER_LIMITS } from '../../test/no-limits.ts';
import { startReconcilerHarness } from '../../test/reconciler/reconciler-harness.ts';
import { EngineFailure } from '../engines/failure.ts';
import { failureMessage } from './messages.ts';

async function deployed() {
  const harness = await startReconcilerHarness();
  const appId = harness.store.addApp();
  await harness.settle();
  async function crash(exit = { code: 3, signal: undefined }) {
    for (const { id } of await harness.runningOf(appId))
      harness.engine.exitInstance(appId, id, exit);
    await harness.settle();
  }
  /** Seconds until it runs again. */
  async function secondsUntilRestart(): Promise<number> {
    for (let seconds = 0; seconds <= 600; seconds += 1) {
      if ((await harness.runningOf(appId)).length > 0) return seconds;
      await harness.clock.advance(1_000);
    }
    throw new Error('The app was not restarted');
  }
  return { ...harness, appId, crash, secondsUntilRestart };
}

it('reports the exit with the last log lines, and restarts the app after a pause', async () => {
  const { store, logs, crash, clock, routeOf, runningOf, appId } = await deployed();
  logs.set(appId, ['TypeError: boom']);
  await crash();
  expect(store.statusOf(appId)).toMatchObject({
    status: 'backoff',
    message: failureMessage('app-exited', ['Exit code 3.', 'TypeError: boom']),
  });
  expect(routeOf(appId)?.route).toEqual({ kind: 'failed' });
  await clock.advance(999);
  expect(await runningOf(appId)).toEqual([]);
  await clock.advance(1);
  expect(await runningOf(appId)).toHaveLength(1);
  expect(routeOf(appId)?.route.kind).toBe('live');
  expect(store.statusOf(appId).status).toBe('synced');
});

it('publishes when the app is restarted, and that no release serves until then', async () => {
  const { store, crash, clock, secondsUntilRestart, appId } = await deployed();
  const serving = expect.objectContaining({ release: 1 });
  expect(store.observedOf(appId)).toEqual({ serving, retry: undefined });
  await crash();
  const at = new Date(clock.now() + 1_000).toISOString();
  expect(store.observedOf(appId)).toEqual({ serving: undefined, retry: { kind: 'restart', at } });
  await secondsUntilRestart();
  expect(store.observedOf(appId)).toEqual({ serving, retry: undefined });
});

it('restarts at once on request, and counts the crash all the same', async () => {
  const { store, crash, settle, secondsUntilRestart, runningOf, actionsOn, appId } =
    await deployed();
  for (let time = 0; time < 3; time += 1) {
    await crash();
    store.requestRetry(appId);
    store.requestRetry(appId);
    await settle();
    expect(await runningOf(appId)).toHaveLength(1);
    expect(store.statusOf(appId).status).toBe('synced');
  }
  expect(actionsOn(appId).filter((call) => call.startsWith('start'))).toHaveLength(4);
  await crash();
  expect(await secondsUntilRestart()).toBe(8);
});

it('restarts on a request that was made while notifications were lost', async () => {
  const { store, engine, crash, clock, settle, runningOf, appId } = await deployed();
  engine.setBehaviour(appId, { exitsAfterStart: { code: 1, signal: undefined } });
  await crash();
  await clock.advance(60_000);
  engine.setBehaviour(appId, {});
  store.loseChanges(() => store.requestRetry(appId));
  await settle();
  expect(await runningOf(appId)).toEqual([]);
  store.reportMissed();
  await settle();
  expect(await runningOf(appId)).toHaveLength(1);
});

it('waits longer after each crash, and starts at one second again after a minute of running', async () => {
  const { crash, secondsUntilRestart, clock } = await deployed();
  const pauses: number[] = [];
  for (let time = 0; time < 4; time += 1) {
    await crash();
    pauses.push(await secondsUntilRestart());
  }
  expect(pauses).toEqual([1, 2, 4, 8]);
  await clock.advance(59_000);
  await crash();
  expect(await secondsUntilRestart()).toBe(16);
  await clock.advance(60_000);
  await crash();
  expect(await secondsUntilRestart()).toBe(1);
});

it('reports a crash loop from the third crash on, with the count', async () => {
  const { store, crash, secondsUntilRestart, appId } = await deployed();
  const messages: (string | undefined)[] = [];
  for (let time = 0; time < 3; time += 1) {
    await crash();
    messages.push(store.statusOf(appId).message);
    await secondsUntilRestart();
  }
  const exit = 'Exit code 3.';
  const loop = 'Crashed 3 times within a minute.';
  expect(messages).toEqual([
    failureMessage('app-exited', [exit]),
    failureMessage('app-exited', [exit]),
    failureMessage('crash-loop', [exit, loop]),
  ]);
});

it('counts one crash when an app runs out of memory during its check', async () => {
  const { store, engine, clock, settle, runningOf } = await startReconcilerHarness();
  const appId = store.addApp();
  engine.setBehaviour(appId, {
    exitsAfterStart: { code: undefined, signal: 'SIGKILL' },
    waitUntilListening: new EngineFailure('out-of-memory'),
  });
  await settle();
  engine.setBehaviour(appId, {});
  await clock.advance(1_000);
  expect(await runningOf(appId)).toHaveLength(1);
  expect(store.statusOf(appId).status).toBe('synced');
});

it('does not retry a missing start command until the next edit', async () => {
  const harness = await startReconcilerHarness();
  const appId = harness.store.addApp();
  harness.engine.setBehaviour(appId, { exitsAfterStart: { code: 127, signal: undefined } });
  await harness.clock.advance(600_000);
  expect(harness.actionsOn(appId).filter((call) => call.startsWith('start'))).toEqual([
    'startInstance 1',
  ]);
  expect(harness.store.statusOf(appId)).toMatchObject({
    status: 'backoff',
    message: failureMessage('start-command-missing', ['Exit code 127.']),
  });
  expect((await harness.observe(appId)).instances).toEqual([]);
});

it('restarts a crashed app even if its log cannot be read', async () => {
  const { store, readLog, errors, crash, secondsUntilRestart, appId } = await deployed();
  readLog.fails = true;
  await crash();
  expect(store.statusOf(appId)).toMatchObject({
    status: 'backoff',
    message: failureMessage('app-exited', ['Exit code 3.']),
  });
  expect(await secondsUntilRestart()).toBe(1);
  expect(errors).toHaveLength(1);
});

it('does not rebuild a crashed app', async () => {
  const { store, crash, secondsUntilRestart, actionsOn, appId } = await deployed();
  await crash();
  await secondsUntilRestart();
  expect(actionsOn(appId).filter((call) => call.startsWith('build'))).toEqual(['build 1']);
  expect(store.releasesOf(appId)).toHaveLength(1);
});

it('stays in Error while an app exits at each start', async () => {
  const { store, engine, crash, clock, appId } = await deployed();
  engine.setBehaviour(appId, { exitsAfterStart: { code: 1, signal: undefined } });
  await crash();
  const crashedAt = store.statusesOf(appId).length;
  await clock.advance(3_600_000);
  const later = store.statusesOf(appId).slice(crashedAt);
  expect(later.filter(({ status }) => status !== 'backoff')).toEqual([]);
});

it('finds a crash without an event at the next resync', async () => {
  const { store, engine, crash, clock, runningOf, appId } = await deployed();
  engine.setBehaviour(appId, { losesEvents: true });
  await crash();
  expect(store.statusOf(appId).status).toBe('synced');
  await clock.advance(601_000);
  expect(await runningOf(appId)).toHaveLength(1);
  expect(store.statusOf(appId).status).toBe('synced');
});

it('does not restart a crashed app that is hibernated', async () => {
  const { store, crash, clock, runningOf, observe, appId } = await deployed();
  await crash();
  store.editApp(appId, { instances: 0 });
  await clock.advance(3_600_000);
  expect(await runningOf(appId)).toEqual([]);
  expect((await observe(appId)).instances).toEqual([]);
  expect(store.statusOf(appId)).toMatchObject({ status: 'synced', observedGeneration: 2 });
});

it('names the size of an app that ran out of memory, and offers the next one', async () => {
  const tier = { name: 't2', cpus: 1, memoryBytes: 1024 ** 3, processes: 512 };
  const nextSizeOf = async () => ({ kind: 'allowed', tier }) as const;
  const harness = await startReconcilerHarness({ ownerLimits: { ...NO_OWNER_LIMITS, nextSizeOf } });
  const { store, engine, settle, runningOf } = harness;
  const appId = store.addApp();
  engine.setBehaviour(appId, { memoryBytes: 700_000_000 });
  await settle();
  const evidence = ['Killed by SIGKILL.', 'The size of the app is 0.5 CPU, 512 MiB.'];
  expect(store.statusOf(appId).message).toBe(failureMessage('out-of-memory', evidence));
  expect(store.releasesOf(appId).at(-1)?.fixes).toEqual([
    { kind: 'size', from: 't1', tier: 't2', cpus: 1, memoryBytes: 1024 ** 3 },
  ]);
  store.editApp(appId, { resourceTier: 't2' });
  await settle();
  expect(await runningOf(appId)).toHaveLength(1);
  expect(store.statusOf(appId).status).toBe('synced');
});
