import { buildAppValues } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { startReconcilerHarness } from '../../test/reconciler/reconciler-harness.ts';
import type { Engine } from '../engines/engine.ts';
import { EngineFailure } from '../engines/failure.ts';

const { source } = buildAppValues();
const next = { source: { ...source, ref: 'next' } };
const MIGRATES = { run: { releaseCommand: 'npm run migrate' } };

/** An app that serves, and whose next build or release command goes on until `finish` is called. */
async function duringWork(action: 'build' | 'runCommand', end?: Error) {
  const starts: string[] = [];
  let work: PromiseWithResolvers<void> | undefined;
  const wait = async (name: string, signal: AbortSignal) => {
    starts.push(name);
    await Promise.race([work?.promise, untilAborted(signal)]);
    if (work !== undefined && end !== undefined) throw end;
  };
  const wrapEngine = (engine: Engine): Engine => ({
    ...engine,
    async build(spec, progress, signal) {
      if (action === 'build') {
        progress({ phase: 'building', revision: 'c0ffee' });
        await wait(`build ${spec.number}`, signal);
      }
      return await engine.build(spec, progress, signal);
    },
    async runCommand(spec, command, signal) {
      if (action === 'runCommand') await wait(`runCommand ${spec.number}`, signal);
      return await engine.runCommand(spec, command, signal);
    },
  });
  const harness = await startReconcilerHarness({ wrapEngine });
  work = Promise.withResolvers();
  work.resolve();
  const appId = harness.store.addApp({ replicas: 2 });
  await harness.settle();
  work = Promise.withResolvers();
  starts.splice(0);
  harness.store.editApp(appId, { ...next, ...MIGRATES });
  await harness.settle();
  const finish = async () => {
    work?.resolve();
    await harness.settle();
  };
  return { ...harness, appId, starts, finish };
}

it.each(['build', 'runCommand'] as const)(
  'does not repeat a %s when the app is scaled',
  async (action) => {
    const { store, appId, starts, finish, runningOf, settle } = await duringWork(action);
    const { message } = store.statusOf(appId);
    store.editApp(appId, { replicas: 3 });
    await settle();
    expect(starts).toEqual([`${action} 2`]);
    expect(store.statusOf(appId)).toMatchObject({ message, observedGeneration: 3 });
    expect(await runningOf(appId)).toMatchObject([{ release: 1 }, { release: 1 }, { release: 1 }]);
    await finish();
    expect(starts).toEqual([`${action} 2`]);
    expect(await runningOf(appId)).toMatchObject([{ release: 2 }, { release: 2 }, { release: 2 }]);
    expect(store.statusOf(appId)).toMatchObject({ status: 'synced', observedGeneration: 3 });
  },
);

it('does not repeat a build that failed after the app was scaled', async () => {
  const failure = new EngineFailure('build-failed');
  const { store, appId, starts, finish, settle } = await duringWork('build', failure);
  store.editApp(appId, { replicas: 3 });
  await settle();
  await finish();
  expect(starts).toEqual(['build 2']);
  expect(store.releasesOf(appId)).toMatchObject([{ number: 1 }, { outcome: 'failed' }]);
  expect(store.statusOf(appId)).toMatchObject({ status: 'backoff', observedGeneration: 3 });
});

it('finishes a release command when the app hibernates, and does not repeat it when it wakes', async () => {
  const { store, appId, starts, finish, routeOf, runningOf, settle } =
    await duringWork('runCommand');
  store.editApp(appId, { instances: 0 });
  await settle();
  expect(await runningOf(appId)).toEqual([]);
  expect(routeOf(appId)?.route.kind).toBe('hibernated');
  await finish();
  expect(store.statusOf(appId)).toMatchObject({ status: 'synced', observedGeneration: 3 });
  expect(await runningOf(appId)).toEqual([]);
  store.editApp(appId, { instances: 1 });
  await settle();
  expect(starts).toEqual(['runCommand 2']);
  expect(await runningOf(appId)).toMatchObject([{ release: 2 }, { release: 2 }]);
});

it('ends a build when the app hibernates, and continues its release when it wakes', async () => {
  const { store, appId, starts, finish, runningOf, settle } = await duringWork('build');
  store.editApp(appId, { instances: 0 });
  await settle();
  expect(store.statusOf(appId)).toMatchObject({ status: 'synced' });
  expect(await runningOf(appId)).toEqual([]);
  store.editApp(appId, { instances: 1 });
  await settle();
  await finish();
  expect(starts).toEqual(['build 2', 'build 2']);
  expect(store.releasesOf(appId)).toMatchObject([{ number: 1 }, { number: 2, outcome: 'live' }]);
});

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
