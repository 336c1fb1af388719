import { EngineFailure } from '@longshore/server/engine';
import { expect, it } from 'vitest';
import { createFakeEngine, type FakeBehaviour } from '../fake-engine.ts';
import { describeCommands } from './command-contract.ts';
import { type AppBehaviour, describeEngineContract } from './engine-contract.ts';

const BEHAVIOURS: Record<AppBehaviour, FakeBehaviour> = {
  serves: {},
  'exits with code 7': { exitsAfterStart: { code: 7, signal: undefined } },
  'uses 160 MB of memory, then serves': { memoryBytes: 160_000_000 },
  'serves, keeps 48 MB of memory and computes': {
    usage: () => ({ cpuSeconds: performance.now(), memoryBytes: 60_000_000 }),
  },
  'takes 3 s to finish after SIGTERM': { finishesAfterSeconds: 3 },
  'ignores SIGTERM': { finishesAfterSeconds: Number.POSITIVE_INFINITY },
  'does not build': { build: new EngineFailure('build-failed') },
  'builds forever': { build: 'stalls' },
};
const clock = { now: () => 1_000 };
const { signal } = new AbortController();

describeEngineContract('fake', async () => {
  const engine = createFakeEngine({ clock });
  let count = 0;
  return {
    engine,
    limitsMemory: true,
    hasFinished: async ({ appId }) => engine.stops.get(appId) === 'finished',
    async spec(behaviour) {
      count += 1;
      const appId = `app-${count}`;
      engine.setBehaviour(appId, BEHAVIOURS[behaviour]);
      return specOf(appId);
    },
    async clear() {},
  };
});

describeCommands('fake', async () => {
  let count = 0;
  return {
    engine: createFakeEngine({ clock }),
    async spec(changes) {
      count += 1;
      return { ...specOf(`commanded-${count}`), ...changes };
    },
    async clear() {},
  };
});

it('fails and loses events as its behaviour defines', async () => {
  const engine = createFakeEngine({ clock });
  const spec = specOf('app');
  const changes: string[] = [];
  engine.watch((appId) => changes.push(appId));
  await engine.build(spec, () => {}, signal);
  const { id } = await engine.startInstance(spec, signal);
  engine.setBehaviour('app', { losesEvents: true, observe: new Error('away') });
  engine.exitInstance('app', id);
  expect(changes).toEqual([]);
  await expect(engine.observe('app', signal)).rejects.toThrow('away');
  expect(engine.calls.map(({ action }) => action)).toEqual(['build', 'startInstance']);
});

function specOf(appId: string) {
  return {
    appId,
    projectId: 'project',
    name: 'shop',
    ownerId: 'owner',
    number: 1,
    origin: { kind: 'git', url: 'https://example.com/a.git', ref: 'main' } as const,
    env: {},
    ports: [],
    size: { cpus: 0.5, memoryBytes: 512 * 1024 ** 2, processes: 256 },
  };
}
