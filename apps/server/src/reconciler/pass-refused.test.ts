import { expect, it } from 'vitest';
import { startReconcilerHarness } from '../../test/reconciler/reconciler-harness.ts';
import { EngineFailure } from '../engines/failure.ts';
import { failureMessage } from './messages.ts';

const REFUSAL = ['Longshore does not run as root.'];
const REFUSED = { status: 'backoff', message: failureMessage('owner-not-allowed', REFUSAL) };
const SLEEP = { sleep: { afterMinutes: 5 } };

async function start() {
  const harness = await startReconcilerHarness();
  /** The next server, on which the owner may not deploy. */
  async function restartRefusing() {
    harness.permission.refusal = REFUSAL;
    await harness.restart();
  }
  return { ...harness, restartRefusing };
}

it('does not build an app of an owner who may not deploy', async () => {
  const { store, actionsOn, permission, settle } = await start();
  permission.refusal = REFUSAL;
  const appId = store.addApp();
  await settle();
  expect(store.statusOf(appId)).toMatchObject(REFUSED);
  expect(actionsOn(appId)).toEqual([]);
});

it('does not start a release that was built, but never served, before the owner lost the permission', async () => {
  const { store, engine, actionsOn, restartRefusing, settle } = await start();
  const appId = store.addApp();
  engine.setBehaviour(appId, { startInstance: new EngineFailure('engine-failed') });
  await settle();
  engine.setBehaviour(appId, {});
  const before = actionsOn(appId).length;
  await restartRefusing();
  expect(store.statusOf(appId)).toMatchObject(REFUSED);
  expect(actionsOn(appId).slice(before)).not.toContain('startInstance 1');
});

it('restarts an app that served before, after a crash', async () => {
  const { store, engine, clock, runningOf, restartRefusing, settle } = await start();
  const appId = store.addApp();
  await settle();
  await restartRefusing();
  for (const { id } of await runningOf(appId)) engine.exitInstance(appId, id);
  await settle();
  await clock.advance(10_000);
  expect(await runningOf(appId)).toHaveLength(1);
  expect(store.statusOf(appId).status).toBe('synced');
});

it('neither hibernates an idle app nor wakes a hibernated one by a request', async () => {
  const { store, routeOf, restartRefusing, settle } = await start();
  const idle = store.addApp(SLEEP);
  const hibernated = store.addApp({ ...SLEEP, instances: 0 });
  await settle();
  expect(routeOf(idle)?.route).toMatchObject({ kind: 'live', sleepAfterMs: 300_000 });
  expect(routeOf(hibernated)?.route).toEqual({ kind: 'hibernated', wakesOnRequest: true });
  await restartRefusing();
  expect(routeOf(idle)?.route).toMatchObject({ kind: 'live', sleepAfterMs: undefined });
  expect(routeOf(hibernated)?.route).toEqual({ kind: 'hibernated', wakesOnRequest: false });
});
