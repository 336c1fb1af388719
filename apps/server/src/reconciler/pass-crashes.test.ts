import { expect, it } from 'vitest';
import { startBench } from '../../test/reconciler/reconciler-bench.ts';
import { EngineFailure } from '../engines/failure.ts';
import { failureMessage } from './messages.ts';

async function deployed() {
  const bench = await startBench();
  const appId = bench.store.addApp();
  await bench.settle();
  async function crash(exit = { code: 3, signal: undefined }) {
    for (const { id } of await bench.runningOf(appId)) bench.engine.exitInstance(appId, id, exit);
    await bench.settle();
  }
  /** How long it takes, in seconds, until it runs again. */
  async function pause(): Promise<number> {
    for (let seconds = 0; seconds <= 600; seconds += 1) {
      if ((await bench.runningOf(appId)).length > 0) return seconds;
      await bench.clock.advance(1_000);
    }
    throw new Error('It does not run again');
  }
  return { ...bench, appId, crash, pause };
}

it('says how the app ended, with its last lines, and starts it again after a pause', async () => {
  const { store, logs, crash, clock, routeOf, runningOf, appId } = await deployed();
  logs.set(appId, ['TypeError: boom']);
  await crash();
  expect(store.statusOf(appId)).toMatchObject({
    status: 'backoff',
    message: failureMessage('app-exited', ['Its exit code was 3.', 'TypeError: boom']),
  });
  expect(routeOf(appId)?.route).toEqual({ kind: 'failed' });
  await clock.advance(999);
  expect(await runningOf(appId)).toEqual([]);
  await clock.advance(1);
  expect(await runningOf(appId)).toHaveLength(1);
  expect(routeOf(appId)?.route.kind).toBe('live');
  expect(store.statusOf(appId).status).toBe('synced');
});

it('waits longer after each crash, and counts anew once it ran for a minute', async () => {
  const { crash, pause, clock } = await deployed();
  const pauses: number[] = [];
  for (let time = 0; time < 4; time += 1) {
    await crash();
    pauses.push(await pause());
  }
  expect(pauses).toEqual([1, 2, 4, 8]);
  await clock.advance(59_000);
  await crash();
  expect(await pause()).toBe(16);
  await clock.advance(60_000);
  await crash();
  expect(await pause()).toBe(1);
});

it('calls it a crash loop from the third time on, with how often and when it goes on', async () => {
  const { store, crash, pause, appId } = await deployed();
  const messages: (string | undefined)[] = [];
  for (let time = 0; time < 3; time += 1) {
    await crash();
    messages.push(store.statusOf(appId).message);
    await pause();
  }
  const exit = 'Its exit code was 3.';
  const often = 'It stopped 3 times within a minute. The next start is in 4 s.';
  expect(messages).toEqual([
    failureMessage('app-exited', [exit]),
    failureMessage('app-exited', [exit]),
    failureMessage('crash-loop', [exit, often]),
  ]);
});

it('counts an app that ran out of memory while it was waited for once', async () => {
  const { store, engine, clock, settle, runningOf } = await startBench();
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

it('does not try again what has no program to start, until the next edit', async () => {
  const bench = await startBench();
  const appId = bench.store.addApp();
  bench.engine.setBehaviour(appId, { exitsAfterStart: { code: 127, signal: undefined } });
  await bench.clock.advance(600_000);
  expect(bench.doneTo(appId).filter((call) => call.startsWith('start'))).toEqual([
    'startInstance 1',
  ]);
  expect(bench.store.statusOf(appId)).toMatchObject({
    status: 'backoff',
    message: failureMessage('start-command-missing', ['Its exit code was 127.']),
  });
  expect((await bench.observe(appId)).instances).toEqual([]);
});

it('starts a crashed app again although its log cannot be read', async () => {
  const { store, readLog, errors, crash, pause, appId } = await deployed();
  readLog.fails = true;
  await crash();
  expect(store.statusOf(appId)).toMatchObject({
    status: 'backoff',
    message: failureMessage('app-exited', ['Its exit code was 3.']),
  });
  expect(await pause()).toBe(1);
  expect(errors).toHaveLength(1);
});

it('does not build again what crashed', async () => {
  const { store, crash, pause, doneTo, appId } = await deployed();
  await crash();
  await pause();
  expect(doneTo(appId).filter((call) => call.startsWith('build'))).toEqual(['build 1']);
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

it('sees a crash nobody told of when it looks at everything', async () => {
  const { store, engine, crash, clock, runningOf, appId } = await deployed();
  engine.setBehaviour(appId, { losesEvents: true });
  await crash();
  expect(store.statusOf(appId).status).toBe('synced');
  await clock.advance(601_000);
  expect(await runningOf(appId)).toHaveLength(1);
  expect(store.statusOf(appId).status).toBe('synced');
});

it('does not start a crashed app again that should sleep', async () => {
  const { store, crash, clock, runningOf, observe, appId } = await deployed();
  await crash();
  store.editApp(appId, { instances: 0 });
  await clock.advance(3_600_000);
  expect(await runningOf(appId)).toEqual([]);
  expect((await observe(appId)).instances).toEqual([]);
  expect(store.statusOf(appId)).toMatchObject({ status: 'synced', observedGeneration: 2 });
});
