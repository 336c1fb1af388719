import { createSimulatedClock } from '@longshore/testkit';
import { createFakeEngine } from '@longshore/testkit/engine';
import { expect, it } from 'vitest';
import { DEFAULT_SIZE } from '../../test/tiers.ts';
import type { Engine, Instance, ReleaseSpec } from './engine.ts';
import { EngineFailure } from './failure.ts';
import { withMaskedErrors } from './masked-errors.ts';

const { signal } = new AbortController();
const cause = new Error('cause');

const spec: ReleaseSpec = {
  appId: 'app-1',
  ownerId: 'ada',
  projectId: 'harbour',
  name: 'app',
  number: 1,
  origin: { kind: 'git', url: 'https://example.com/a.git', ref: 'main' },
  env: {},
  ports: [],
  size: DEFAULT_SIZE,
};

const instance: Instance = {
  id: '1',
  release: 1,
  logName: 'app-app-1-1',
  address: { host: '127.0.0.1', port: 3000 },
  startedAt: new Date(0),
  state: { kind: 'running' },
};

function createFailingEngine() {
  const fake = createFakeEngine({ clock: createSimulatedClock() });
  const preparedApps: string[] = [];
  const fail = () =>
    Promise.reject(new EngineFailure('build-failed', ['it is hunter2'], { cause }));
  const engine: Engine = { ...fake, build: fail, startInstance: fail, waitUntilListening: fail };
  const masked = withMaskedErrors(engine, {
    prepareLog: (appId) => preparedApps.push(appId),
    mask: async (appId) => (text) => text.replace('hunter2', `[secret of ${appId}]`),
  });
  return { masked, preparedApps };
}

it('masks secrets in the evidence of a failure and keeps its reason and cause', async () => {
  const { masked } = createFailingEngine();
  for (const work of [
    () => masked.build(spec, () => {}, signal),
    () => masked.startInstance(spec, signal),
    () => masked.waitUntilListening(instance, spec, signal),
  ]) {
    await expect(work()).rejects.toMatchObject({
      reason: 'build-failed',
      evidence: ['it is [secret of app-1]'],
      message: 'build-failed: it is [secret of app-1]',
      cause,
    });
  }
});

it('calls prepareLog before each build and instance start, because the app may have new secrets', async () => {
  const { masked, preparedApps } = createFailingEngine();
  await masked.build(spec, () => {}, signal).catch(() => {});
  await masked.startInstance(spec, signal).catch(() => {});
  expect(preparedApps).toEqual(['app-1', 'app-1']);
});
