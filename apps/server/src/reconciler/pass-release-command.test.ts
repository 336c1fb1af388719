import { RELEASE_COMMAND_MINUTES } from '@longshore/contract';
import { buildAppValues } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { startReconcilerHarness } from '../../test/reconciler/reconciler-harness.ts';
import type { Engine } from '../engines/engine.ts';
import { EngineFailure } from '../engines/failure.ts';
import { failureMessage } from './messages.ts';

const { source } = buildAppValues();
const next = { source: { ...source, ref: 'next' } };
const MIGRATES = { run: { releaseCommand: 'npm run migrate' } };
const FAILS = { run: { releaseCommand: 'sh -c "exit 3"' } };

async function deployed(values: object = MIGRATES, wrapEngine?: (engine: Engine) => Engine) {
  const harness = await startReconcilerHarness(wrapEngine ? { wrapEngine } : {});
  const appId = harness.store.addApp(values);
  await harness.settle();
  const commands = () =>
    harness.actionsOn(appId).filter((action) => action.startsWith('runCommand'));
  return { ...harness, appId, commands };
}

it('runs after the build, before the first instance starts, and has a phase', async () => {
  const { actionsOn, store, appId } = await deployed();
  expect(actionsOn(appId)).toEqual([
    'build 1',
    'runCommand 1',
    'startInstance 1',
    'waitUntilListening 1',
  ]);
  const [release] = store.releasesOf(appId);
  expect(release?.phases.map(({ phase }) => phase)).toContain('releasing');
  const messages = store.statusesOf(appId).map(({ message }) => message);
  expect(messages).toContain('Reconcile: running the release command');
});

it('runs for a new build and for a changed command, not for another variable, a restart or a wake', async () => {
  const { store, settle, restart, appId, commands } = await deployed();
  store.editApp(appId, { env: { COLOUR: 'red' } });
  await settle();
  store.restartApp(appId);
  await settle();
  store.editApp(appId, { instances: 0 });
  await settle();
  store.editApp(appId, { instances: 1 });
  await settle();
  await restart();
  expect(store.statusOf(appId).status).toBe('synced');
  expect(commands()).toEqual(['runCommand 1']);
  store.editApp(appId, next);
  await settle();
  store.editApp(appId, { run: { releaseCommand: 'npm run other' } });
  await settle();
  expect(commands()).toEqual(['runCommand 1', 'runCommand 3', 'runCommand 4']);
  expect(store.releasesOf(appId).at(-1)).toMatchObject({ number: 4, from: 3, outcome: 'live' });
});

it('does not run for a rollback, nor for an edit after it', async () => {
  const { store, settle, appId, commands } = await deployed();
  store.editApp(appId, { ...next, run: { releaseCommand: 'npm run other' } });
  await settle();
  store.rollBackApp(appId, 1);
  await settle();
  store.editApp(appId, { env: { COLOUR: 'red' } });
  await settle();
  const releases = store.releasesOf(appId);
  expect(releases.map(({ outcome }) => outcome)).toEqual(['live', 'live', 'live', 'live']);
  expect(releases.at(-1)?.values.run).toEqual(MIGRATES.run);
  expect(commands()).toEqual(['runCommand 1', 'runCommand 2']);
});

it('a failure ends the release with its log, and the release before it keeps serving', async () => {
  const { store, settle, logs, routeOf, runningOf, appId, actionsOn } = await deployed({});
  const [serving] = await runningOf(appId);
  logs.set(appId, ['built', '$ sh -c "exit 3"', 'relation "users" does not exist']);
  store.editApp(appId, { ...next, ...FAILS });
  await settle();
  const evidence = ['Exit code 3.', 'relation "users" does not exist'];
  expect(store.releasesOf(appId).at(-1)).toMatchObject({
    outcome: 'failed',
    reason: 'release-command-failed',
    evidence,
  });
  expect(store.statusOf(appId)).toMatchObject({
    status: 'backoff',
    message: failureMessage('release-command-failed', evidence),
  });
  expect(actionsOn(appId)).not.toContain('startInstance 2');
  expect(routeOf(appId)?.route).toEqual({ kind: 'live', targets: [serving?.address] });
});

it('runs again in the next attempt of the same build after it failed', async () => {
  const { store, settle, appId, commands } = await deployed(FAILS);
  store.editApp(appId, { env: { DATABASE_URL: 'postgres://db' } });
  await settle();
  expect(commands()).toEqual(['runCommand 1', 'runCommand 2']);
  expect(store.releasesOf(appId).at(-1)).toMatchObject({ from: 1, outcome: 'failed' });
});

it('does not run again when the app wakes or is scaled after it failed', async () => {
  const { store, settle, appId, commands, runningOf } = await deployed({});
  store.editApp(appId, { ...next, ...FAILS });
  await settle();
  for (const change of [{ instances: 0 }, { instances: 1 }, { replicas: 2 }]) {
    store.editApp(appId, change);
    await settle();
  }
  expect(commands()).toEqual(['runCommand 2']);
  expect(store.statusOf(appId).message).toContain('release command');
  expect(await runningOf(appId)).toMatchObject([{ release: 1 }, { release: 1 }]);
  store.redeployApp(appId);
  await settle();
  expect(commands()).toEqual(['runCommand 2', 'runCommand 3']);
});

it('fails with its time limit when it times out', async () => {
  const timesOut = (engine: Engine): Engine => ({
    ...engine,
    runCommand: async () => ({ kind: 'timed-out' }),
  });
  const { store, appId } = await deployed(MIGRATES, timesOut);
  expect(store.releasesOf(appId).at(-1)).toMatchObject({
    reason: 'release-command-timed-out',
    evidence: [`Timed out after ${RELEASE_COMMAND_MINUTES} minutes`],
  });
});

it('names the size and offers the next one when it runs out of memory', async () => {
  const killed = (engine: Engine): Engine => ({
    ...engine,
    runCommand: async () => ({
      kind: 'exited',
      exit: { code: undefined, signal: 'SIGKILL', isOutOfMemory: true },
    }),
  });
  const { store, appId } = await deployed(MIGRATES, killed);
  const release = store.releasesOf(appId).at(-1);
  expect(release?.evidence[1]).toContain('The size of the app is 0.5 CPU');
});

it('is retried when the engine fails, and runs again after a server restart', async () => {
  const { store, engine, settle, clock, restart, appId, commands } = await deployed({});
  engine.setBehaviour(appId, { runCommand: new EngineFailure('engine-down') });
  store.editApp(appId, { ...next, ...MIGRATES });
  await settle();
  expect(store.statusOf(appId).message).toContain('Docker is not responding');
  engine.setBehaviour(appId, { runCommand: 'stalls' });
  await clock.advance(60_000);
  await settle();
  expect(commands()).toEqual([]);
  engine.setBehaviour(appId, {});
  await restart();
  expect(commands()).toEqual(['runCommand 2']);
  expect(store.statusOf(appId).status).toBe('synced');
});

it('ends when the release is cancelled, and is not repeated', async () => {
  const { store, engine, settle, appId, commands, runningOf } = await deployed({});
  engine.setBehaviour(appId, { runCommand: 'stalls' });
  store.editApp(appId, { ...next, ...MIGRATES });
  await settle();
  expect(store.statusOf(appId).message).toBe('Reconcile: running the release command');
  store.cancelBuild(appId);
  await settle();
  expect(commands()).toEqual([]);
  expect(store.releasesOf(appId).at(-1)?.outcome).toBe('cancelled');
  expect(await runningOf(appId)).toMatchObject([{ release: 1 }]);
});

it('restarts the release that serves if it crashes while the command runs', async () => {
  const { store, engine, clock, settle, routeOf, runningOf, appId, commands } = await deployed({});
  engine.setBehaviour(appId, { runCommand: 'stalls' });
  store.editApp(appId, { ...next, ...MIGRATES });
  await settle();
  engine.exitInstance(appId, '1');
  await settle();
  expect(routeOf(appId)?.route.kind).toBe('failed');
  await clock.advance(1_000);
  const [instance] = await runningOf(appId);
  expect(instance?.release).toBe(1);
  expect(routeOf(appId)?.route).toEqual({ kind: 'live', targets: [instance?.address] });
  expect(store.statusOf(appId).message).toBe('Reconcile: running the release command');
  expect(commands()).toEqual([]);
});
