import { createSimulatedClock } from '@longshore/testkit';
import { createFakeEngine } from '@longshore/testkit/engine';
import { expect, it } from 'vitest';
import { discreetEngine } from './discreet-engine.ts';
import type { Engine, Instance, ReleaseSpec } from './engine.ts';
import { EngineFailure } from './failure.ts';

const { signal } = new AbortController();
const cause = new Error('why');

const spec: ReleaseSpec = {
  appId: 'app-1',
  ownerId: 'ada',
  projectId: 'harbour',
  name: 'app',
  number: 1,
  origin: { kind: 'git', url: 'https://example.com/a.git', ref: 'main' },
  env: {},
  ports: [],
};

const instance: Instance = {
  id: '1',
  release: 1,
  logName: 'app-app-1-1',
  address: { host: '127.0.0.1', port: 3000 },
  startedAt: new Date(0),
  state: { kind: 'running' },
};

function failing() {
  const fake = createFakeEngine({ clock: createSimulatedClock() });
  const begun: string[] = [];
  const fail = () =>
    Promise.reject(new EngineFailure('build-failed', ['it is hunter2'], { cause }));
  const engine: Engine = { ...fake, build: fail, start: fail, answers: fail };
  const discreet = discreetEngine(engine, {
    begin: (appId) => begun.push(appId),
    mask: async (appId) => (text) => text.replace('hunter2', `[secret of ${appId}]`),
  });
  return { discreet, begun };
}

it('hides secrets in the evidence of a failure, and keeps its reason and cause', async () => {
  const { discreet } = failing();
  for (const work of [
    () => discreet.build(spec, () => {}, signal),
    () => discreet.start(spec, signal),
    () => discreet.answers(instance, spec, signal),
  ]) {
    await expect(work()).rejects.toMatchObject({
      reason: 'build-failed',
      evidence: ['it is [secret of app-1]'],
      message: 'build-failed: it is [secret of app-1]',
      cause,
    });
  }
});

it('tells before it works that lines and secrets are to come', async () => {
  const { discreet, begun } = failing();
  await discreet.build(spec, () => {}, signal).catch(() => {});
  await discreet.start(spec, signal).catch(() => {});
  expect(begun).toEqual(['app-1', 'app-1']);
});
