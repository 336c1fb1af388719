import { expect, it } from 'vitest';
import { startBench } from '../../test/reconciler/reconciler-bench.ts';
import { EngineFailure, type Reason } from '../engines/failure.ts';
import { isRetried } from '../engines/failure-messages.ts';
import { failureMessage } from './messages.ts';

const EVIDENCE = ['the last line'];

/** Which call of the engine a reason comes from. */
const REASONS: Record<
  Exclude<Reason, 'app-exited' | 'app-killed' | 'out-of-memory' | 'crash-loop'>,
  'build' | 'startInstance' | 'waitUntilListening'
> = {
  'repository-not-found': 'build',
  'repository-refused': 'build',
  'repository-unreachable': 'build',
  'repository-too-large': 'build',
  'source-not-allowed': 'build',
  'ref-not-found': 'build',
  'integration-not-found': 'build',
  'integration-elsewhere': 'build',
  'integration-expired': 'build',
  'host-key-changed': 'build',
  'nothing-to-build': 'build',
  'start-needs-shell': 'build',
  'toolchain-missing': 'build',
  'build-failed': 'build',
  'build-timed-out': 'build',
  'build-out-of-memory': 'build',
  'image-unsupported': 'build',
  'image-not-found': 'build',
  'image-refused': 'build',
  'image-wrong-architecture': 'startInstance',
  'registry-unreachable': 'build',
  'owner-not-allowed': 'startInstance',
  'port-never-answered': 'waitUntilListening',
  'listens-elsewhere': 'waitUntilListening',
  'listens-on-loopback': 'waitUntilListening',
  'start-command-missing': 'startInstance',
  'disk-full': 'build',
  'engine-down': 'startInstance',
  'engine-failed': 'startInstance',
};
const CASES = Object.entries(REASONS) as [
  Reason,
  'build' | 'startInstance' | 'waitUntilListening',
][];

async function failing(reason: Reason, call: 'build' | 'startInstance' | 'waitUntilListening') {
  const bench = await startBench();
  const appId = bench.store.addApp();
  bench.engine.setBehaviour(appId, { [call]: new EngineFailure(reason, EVIDENCE) });
  await bench.settle();
  return { ...bench, appId };
}

it.each(CASES)('says so when it fails for %s', async (reason, call) => {
  const { store, routeOf, runningOf, appId } = await failing(reason, call);
  expect(store.statusOf(appId)).toMatchObject({
    status: 'backoff',
    message: failureMessage(reason, EVIDENCE),
  });
  expect(routeOf(appId)?.route).toEqual({ kind: 'failed' });
  expect(await runningOf(appId)).toEqual([]);
});

it.each(CASES.filter(([reason]) => !isRetried(reason)))(
  'leaves an app that failed for %s be until the next edit',
  async (reason, call) => {
    const { store, engine, clock, doneTo, settle, appId } = await failing(reason, call);
    engine.setBehaviour(appId, {});
    const done = doneTo(appId);
    await clock.advance(3_600_000);
    expect(doneTo(appId)).toEqual(done);
    expect(store.releasesOf(appId)).toMatchObject([
      { outcome: 'failed', reason, evidence: EVIDENCE },
    ]);
    store.editApp(appId, {});
    await settle();
    expect(store.statusOf(appId).status).toBe('synced');
  },
);

it.each(CASES.filter(([reason]) => isRetried(reason)))(
  'tries an app that failed for %s again, and stays in Error until it works',
  async (reason, call) => {
    const { store, engine, clock, appId } = await failing(reason, call);
    const failedAt = store.statusesOf(appId).length;
    await clock.advance(10_000);
    engine.setBehaviour(appId, {});
    await clock.advance(60_000);
    expect(store.statusesOf(appId).slice(failedAt)).toMatchObject([{ status: 'synced' }]);
    expect(store.releasesOf(appId)).toMatchObject([{ number: 1, outcome: 'live' }]);
  },
);

it('waits longer each time before it tries again', async () => {
  const { engine, clock } = await failing('engine-failed', 'startInstance');
  const observed: number[] = [];
  const startedAt = clock.now();
  for (let seconds = 0; seconds < 40; seconds += 1) {
    const looks = engine.calls.length;
    await clock.advance(1_000);
    if (engine.calls.length > looks) observed.push((clock.now() - startedAt) / 1_000);
  }
  expect(observed).toEqual([1, 3, 7, 15, 31]);
});

it('tries at once after an edit, however long the wait was', async () => {
  const { store, engine, clock, settle, appId } = await failing('engine-failed', 'startInstance');
  await clock.advance(600_000);
  engine.setBehaviour(appId, {});
  store.editApp(appId, { name: 'renamed' });
  await settle();
  expect(store.statusOf(appId).status).toBe('synced');
});

it('looks again soon when the engine cannot see', async () => {
  const { store, engine, clock, settle, errors, ...bench } = await startBench();
  const appId = store.addApp();
  engine.setBehaviour(appId, { observe: new Error('away') });
  await settle();
  expect(bench.doneTo(appId)).toEqual([]);
  expect(errors).toHaveLength(1);
  engine.setBehaviour(appId, {});
  await clock.advance(5_000);
  expect(store.statusOf(appId).status).toBe('synced');
});

it('removes a deleted app even when the first tries fail', async () => {
  const { store, engine, clock, settle, routeOf, observe } = await startBench();
  const appId = store.addApp();
  await settle();
  engine.setBehaviour(appId, { removeApp: new Error('busy') });
  store.deleteApp(appId);
  await clock.advance(60_000);
  expect(routeOf(appId)).toBeUndefined();
  engine.setBehaviour(appId, {});
  await clock.advance(5_000);
  expect(await observe(appId)).toEqual({ built: [], instances: [] });
});

it('remembers that a release is live although the database was away when it became so', async () => {
  let isAway = true;
  const { store, clock, settle, routeOf } = await startBench({
    wrapStore: (inner) => ({
      ...inner,
      async endRelease(end) {
        if (isAway) throw new Error('The database is away');
        await inner.endRelease(end);
      },
    }),
  });
  const appId = store.addApp();
  await settle();
  isAway = false;
  await clock.advance(60_000);
  expect(store.releasesOf(appId)).toMatchObject([{ number: 1, outcome: 'live' }]);
  expect(store.statusOf(appId).status).toBe('synced');
  expect(routeOf(appId)?.route.kind).toBe('live');
});

it('says that the engine is down of every app it looks at, and is settled when it is back', async () => {
  const { store, engine, clock, settle, routeOf, appId } = await deployedApp();
  engine.setBehaviour(appId, { observe: new EngineFailure('engine-down') });
  store.editApp(appId, { env: { COLOUR: 'blue' } });
  await settle();
  expect(store.statusOf(appId)).toMatchObject({
    status: 'backoff',
    message: failureMessage('engine-down', []),
  });
  expect(routeOf(appId)?.route.kind).toBe('live');
  engine.setBehaviour(appId, {});
  await clock.advance(5_000);
  expect(store.statusOf(appId)).toMatchObject({ status: 'synced', observedGeneration: 2 });
});

it('calls a write that found no room a full disk, and tries again', async () => {
  const { store, engine, clock, settle, appId } = await deployedApp();
  const cause = Object.assign(new Error('write'), { code: 'ENOSPC' });
  engine.setBehaviour(appId, { startInstance: cause });
  store.editApp(appId, { env: { COLOUR: 'blue' } });
  await settle();
  expect(store.statusOf(appId)).toMatchObject({
    status: 'backoff',
    message: failureMessage('disk-full', []),
  });
  engine.setBehaviour(appId, {});
  await clock.advance(1_000);
  expect(store.statusOf(appId)).toMatchObject({ status: 'synced', observedGeneration: 2 });
});

async function deployedApp() {
  const bench = await startBench();
  const appId = bench.store.addApp();
  await bench.settle();
  return { ...bench, appId };
}
