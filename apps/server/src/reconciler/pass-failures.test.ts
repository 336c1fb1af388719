import { expect, it } from 'vitest';
import { startReconcilerHarness } from '../../test/reconciler/reconciler-harness.ts';
import { EngineFailure, type Reason } from '../engines/failure.ts';
import { isRetried } from '../engines/failure-messages.ts';
import { failureMessage } from './messages.ts';

const EVIDENCE = ['the last line'];

/** The engine call that fails with each reason. */
const REASONS: Record<
  Exclude<
    Reason,
    | 'app-exited'
    | 'app-killed'
    | 'out-of-memory'
    | 'crash-loop'
    // In `pass-release-command.test.ts`.
    | 'release-command-failed'
    | 'release-command-timed-out'
    // In `pass-processes.test.ts`.
    | 'process-crashed'
    | 'process-over-quota'
  >,
  'build' | 'startInstance' | 'waitUntilListening'
> = {
  'repository-not-found': 'build',
  'repository-refused': 'build',
  'repository-unreachable': 'build',
  'repository-too-large': 'build',
  'repository-invalid': 'build',
  'repository-damaged': 'build',
  'source-not-allowed': 'build',
  'upload-missing': 'build',
  'ref-not-found': 'build',
  'integration-not-found': 'build',
  'integration-elsewhere': 'build',
  'integration-expired': 'build',
  'host-key-changed': 'build',
  'root-directory-missing': 'build',
  'nothing-to-build': 'build',
  'no-app-at-root': 'build',
  'start-needs-shell': 'build',
  'toolchain-missing': 'build',
  'build-failed': 'build',
  'google-fonts-unreachable': 'build',
  'output-missing': 'build',
  'build-timed-out': 'build',
  'build-out-of-memory': 'build',
  'build-disk-full': 'build',
  'builder-image-missing': 'build',
  'image-too-large': 'build',
  'image-unsupported': 'build',
  'image-not-found': 'build',
  'image-refused': 'build',
  'image-wrong-architecture': 'startInstance',
  'registry-unreachable': 'build',
  'owner-not-allowed': 'startInstance',
  'reference-not-found': 'startInstance',
  'port-never-answered': 'waitUntilListening',
  'listens-elsewhere': 'waitUntilListening',
  'listens-on-loopback': 'waitUntilListening',
  'health-check-failed': 'waitUntilListening',
  'release-unhealthy': 'waitUntilListening',
  'start-command-missing': 'startInstance',
  'disk-full': 'build',
  'app-disk-full': 'build',
  'disk-quota-reached': 'build',
  'no-room': 'startInstance',
  'cluster-quota-reached': 'startInstance',
  'not-offered': 'build',
  'cluster-down': 'startInstance',
  'engine-down': 'startInstance',
  'engine-failed': 'startInstance',
};
const CASES = Object.entries(REASONS) as [
  Reason,
  'build' | 'startInstance' | 'waitUntilListening',
][];

async function failing(reason: Reason, call: 'build' | 'startInstance' | 'waitUntilListening') {
  const harness = await startReconcilerHarness();
  const appId = harness.store.addApp();
  harness.engine.setBehaviour(appId, { [call]: new EngineFailure(reason, EVIDENCE) });
  await harness.settle();
  return { ...harness, appId };
}

it('stores the commit of a build that fails', async () => {
  const { store, appId } = await failing('build-failed', 'build');
  const [release] = store.releasesOf(appId);
  expect(release).toMatchObject({ outcome: 'failed', revision: expect.stringMatching(/^\w{40}$/) });
});

it.each(CASES)('reports the failure %s', async (reason, call) => {
  const { store, routeOf, runningOf, appId } = await failing(reason, call);
  expect(store.statusOf(appId)).toMatchObject({
    status: 'backoff',
    message: failureMessage(reason, EVIDENCE),
  });
  expect(routeOf(appId)?.route).toEqual({ kind: 'failed' });
  expect(await runningOf(appId)).toEqual([]);
});

it.each(CASES.filter(([reason]) => !isRetried(reason)))(
  'does not retry after %s until the next edit',
  async (reason, call) => {
    const { store, engine, clock, actionsOn, settle, appId } = await failing(reason, call);
    engine.setBehaviour(appId, {});
    const actions = actionsOn(appId);
    await clock.advance(3_600_000);
    expect(actionsOn(appId)).toEqual(actions);
    expect(store.releasesOf(appId)).toMatchObject([
      { outcome: 'failed', reason, evidence: EVIDENCE },
    ]);
    store.editApp(appId, {});
    await settle();
    expect(store.statusOf(appId).status).toBe('synced');
  },
);

it.each(CASES.filter(([reason]) => isRetried(reason)))(
  'retries after %s, and stays in Error until it works',
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

it.each(['disk-full', 'engine-down', 'engine-failed'] as const)(
  'works a minute after the machine does, even after hours of %s',
  async (reason) => {
    const { store, engine, clock, appId } = await failing(reason, REASONS[reason]);
    await clock.advance(3 * 3_600_000);
    engine.setBehaviour(appId, {});
    await clock.advance(60_000);
    expect(store.statusOf(appId).status).toBe('synced');
  },
);

it('waits longer before each retry', async () => {
  const { engine, clock } = await failing('engine-failed', 'startInstance');
  const observed: number[] = [];
  const startedAt = clock.now();
  for (let seconds = 0; seconds < 40; seconds += 1) {
    const calls = engine.calls.length;
    await clock.advance(1_000);
    if (engine.calls.length > calls) observed.push((clock.now() - startedAt) / 1_000);
  }
  expect(observed).toEqual([1, 3, 7, 15, 31]);
});

it('retries immediately after an edit, however long the wait was', async () => {
  const { store, engine, clock, settle, appId } = await failing('engine-failed', 'startInstance');
  await clock.advance(600_000);
  engine.setBehaviour(appId, {});
  store.editApp(appId, { name: 'renamed' });
  await settle();
  expect(store.statusOf(appId).status).toBe('synced');
});

it('repeats the pass soon when the engine cannot observe', async () => {
  const { store, engine, clock, settle, errors, ...harness } = await startReconcilerHarness();
  const appId = store.addApp();
  engine.setBehaviour(appId, { observe: new Error('down') });
  await settle();
  expect(harness.actionsOn(appId)).toEqual([]);
  expect(errors).toHaveLength(1);
  engine.setBehaviour(appId, {});
  await clock.advance(5_000);
  expect(store.statusOf(appId).status).toBe('synced');
});

it('removes a deleted app even if the first attempts fail', async () => {
  const { store, engine, clock, settle, routeOf, observe } = await startReconcilerHarness();
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

it('marks a release as live even if the database was down when it became live', async () => {
  let isDown = true;
  const { store, clock, settle, routeOf } = await startReconcilerHarness({
    wrapStore: (inner) => ({
      ...inner,
      async endRelease(end) {
        if (isDown) throw new Error('The database is down');
        return await inner.endRelease(end);
      },
    }),
  });
  const appId = store.addApp();
  await settle();
  isDown = false;
  await clock.advance(60_000);
  expect(store.releasesOf(appId)).toMatchObject([{ number: 1, outcome: 'live' }]);
  expect(store.statusOf(appId).status).toBe('synced');
  expect(routeOf(appId)?.route.kind).toBe('live');
});

it('reports that the engine is down, and settles when it is up again', async () => {
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

it('reports ENOSPC as a full disk, and retries', async () => {
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
  const harness = await startReconcilerHarness();
  const appId = harness.store.addApp();
  await harness.settle();
  return { ...harness, appId };
}
