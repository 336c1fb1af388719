import { expect, it } from 'vitest';
import { EngineFailure } from '../failure.ts';
import { choosePlace, createBuilderPlaces } from './builder-places.ts';

const place = (name: string, isBusy: boolean, ...apps: string[]) => ({
  name,
  isBusy,
  apps: new Set(apps),
});

it.each([
  ['the one that built the app before', [place('a', false), place('b', false, 'shop')], 'b'],
  ['a free one, when that is busy', [place('a', false), place('b', true, 'shop')], 'a'],
  ['the first free one', [place('a', true), place('b', false, 'blog'), place('c', false)], 'b'],
  ['none, when all are busy', [place('a', true, 'shop')], undefined],
])('chooses %s', (_, places, chosen) => {
  expect(choosePlace(places, 'shop')?.name).toBe(chosen);
});

const { signal } = new AbortController();
const REQUEST = { ownerId: 'ada', appId: 'shop', writeLine() {} };

/** Builders that are numbers, and what happened to them. `stopError`: of each stop. */
function openPlaces({ stopError }: { stopError?: Error } = {}) {
  const events: string[] = [];
  const logged: unknown[] = [];
  let started = 0;
  const places = createBuilderPlaces({
    async start() {
      started += 1;
      const name = started;
      events.push(`start ${name}`);
      return {
        name,
        builder: { folder: '', start: () => Promise.reject(new Error('not used')) },
        memoryKills: async () => 0,
        isRunning: async () => true,
        async stop() {
          events.push(`stop ${name}`);
          if (stopError !== undefined) throw stopError;
        },
      };
    },
    removeCache: async () => void events.push('remove the cache'),
    idleMs: 60_000,
    logError: (error) => logged.push(error),
  });
  const fail = (error: unknown) => places.use(REQUEST, () => Promise.reject(error), signal);
  const build = () => places.use(REQUEST, async ({ name }) => name, signal);
  return { events, logged, fail, build };
}

it.each([
  ['the build failed', new EngineFailure('build-failed'), ['start 1']],
  ['the cluster is down', new EngineFailure('cluster-down'), ['start 1', 'stop 1']],
  ['something else failed', new Error('connection lost'), ['start 1', 'stop 1']],
  [
    'the build filled its disk',
    new EngineFailure('build-disk-full'),
    ['start 1', 'stop 1', 'remove the cache'],
  ],
])('keeps a builder only if nothing runs in it: %s', async (_, error, expected) => {
  const { events, fail, build } = openPlaces();
  await expect(fail(error)).rejects.toBe(error);
  expect(events).toEqual(expected);
  expect(await build()).toBe(events.includes('stop 1') ? 2 : 1);
});

it('uses no builder again that could not be stopped, and keeps its cache', async () => {
  const stopError = new EngineFailure('cluster-down');
  const { events, logged, fail, build } = openPlaces({ stopError });
  const error = new EngineFailure('build-disk-full');
  await expect(fail(error)).rejects.toBe(error);
  expect(logged).toEqual([stopError]);
  expect(await build()).toBe(2);
  expect(events).toEqual(['start 1', 'stop 1', 'start 2']);
});
